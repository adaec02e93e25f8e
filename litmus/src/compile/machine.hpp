// SPDX-License-Identifier: Apache-2.0
#pragma once
// The machines that a compiler may compile for, and the machine's litmus test that its text is read as.

#include "reader.hpp"
#include "unit.hpp"

namespace ringproof::litmus::compiled {

struct machine {
    std::string_view triple;  ///< what its name begins with in a compiler: "aarch64"
    std::string_view dialect; ///< of its tests
    std::string_view model;
    std::string_view comment; ///< in its assembly
    std::vector<std::string> flags;
    std::unique_ptr<thread_reader> (*reader)(const code& function, const symbol_names& symbols,
                                             std::size_t thread);
};

/// nullptr: none of ours
const machine* find_machine(std::string_view triple);

struct compiled_test {
    std::string text;
    int jumps_back = 0; ///< of a thread, at most: machine_thread::jumps_back
};

/// @param functions of the compiled text in which the test is unit `number`
/// @throws unreadable
compiled_test machine_test(const machine& m, const test& t, const unit& u, std::size_t number,
                           const std::map<std::string, code>& functions);

} // namespace ringproof::litmus::compiled
