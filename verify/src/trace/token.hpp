// SPDX-License-Identifier: Apache-2.0
#pragma once
// A replay token: one execution of one scenario under one model, as text that survives a shell, a
// mail and a CI log. base64url without padding over bytes: a version, the model, a hash of the
// scenario's name, the steps as variable-length numbers, and a checksum of all that.

#include <ringproof/verify/explore.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ringproof::verify {

struct replay_token {
    std::uint32_t scenario = 0; ///< name_hash() of its name
    memory_model model = memory_model::rc11;
    std::vector<step> steps;
};

/// FNV-1a: which scenario a token belongs to.
std::uint32_t name_hash(std::string_view name);

std::string encode(const replay_token& token);

/// @throws std::invalid_argument saying what is wrong with the text
replay_token decode(std::string_view text);

} // namespace ringproof::verify
