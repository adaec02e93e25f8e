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

/// Eight bytes whose plain accesses are relaxed atomic ones of `unit` bytes: at an address that is the same in each process,
/// or so far behind the beginning of the program.
struct raced_place {
    std::uint64_t at = 0;
    bool in_program = false;
    std::uint8_t unit = 8;
};

struct replay_token {
    std::uint32_t scenario = 0; ///< name_hash() of its name
    memory_model model = memory_model::rc11;
    std::vector<step> steps;
    std::vector<raced_place> raced = {}; ///< with --races=continue
};

/// FNV-1a: which scenario a token belongs to.
std::uint32_t name_hash(std::string_view name);

std::string encode(const replay_token& token);

/// @throws std::invalid_argument saying what is wrong with the text
replay_token decode(std::string_view text);

} // namespace ringproof::verify
