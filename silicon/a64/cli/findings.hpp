// SPDX-License-Identifier: Apache-2.0
#pragma once
// Searches a program, and keeps what a user wants to see of it.

#include <ringproof/silicon/a64/program.hpp>
#include <ringproof/silicon/explore.hpp>

#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ringproof::silicon::a64 {

/// An access of the execution that fails, in words.
struct shown_access {
    std::size_t thread = 0, index = 0;
    std::string place, instruction, what; ///< "queue.hpp:42", "ldar w1, [x0]", "reads ready = 1"
    std::optional<std::pair<std::size_t, std::size_t>> from; ///< of a read: thread and index of the write
    bool from_start = false;                                 ///< it reads what was there at the start
};

/// A thread that waits for ever.
struct shown_wait {
    std::size_t thread = 0;
    std::string place, what; ///< "queue.cpp:12", "waits for mutex m"
};

struct findings {
    std::uint64_t executions = 0, blocked = 0;
    bool cut = false;     ///< a thread ran longer than its limit
    bool stopped = false; ///< by the time, or an interrupt
    bool bounded = false; ///< a wait timed out as often as is followed
    std::string hang;     ///< where a thread waits for ever, if that is no error
    std::string failure;  ///< of the first execution that fails
    std::vector<shown_wait> waits;
    std::vector<shown_access> shown;
    std::size_t threads = 0;
    double seconds = 0;
};

/// @param hangs_fail whether a thread that waits for ever refutes
/// @param go_on asked now and then with the executions so far; false ends the search
findings search(program& p, bool hangs_fail, const std::function<bool(std::uint64_t)>& go_on);

void print(const findings& f, std::FILE* out);

} // namespace ringproof::silicon::a64
