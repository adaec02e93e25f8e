// SPDX-License-Identifier: Apache-2.0
#pragma once
// A replay token: one execution of one compiled program, as text that survives a shell and a mail. It has what the search
// had learnt, and the alternatives that lead to the execution.

#include <ringproof/silicon/a64/program.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ringproof::silicon::a64 {

struct replay_token {
    std::uint64_t program = 0; ///< its fingerprint
    knowledge learnt;
    std::vector<std::uint32_t> path; ///< of way::path()
};

/// "armv8-1.PROGRAM.THREADS.PIECES.PATH.CHECKSUM"
std::string encode(const replay_token& token);

/// @throws std::invalid_argument saying what is wrong with the text
replay_token decode_token(std::string_view text);

} // namespace ringproof::silicon::a64
