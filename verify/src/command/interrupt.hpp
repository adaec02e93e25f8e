// SPDX-License-Identifier: Apache-2.0
#pragma once
// How `ringproof check` passes SIGINT and SIGTERM on to the program it runs. Ctrl-C comes to both processes, so the
// program has it twice, once from the terminal and once passed on; that must not count as a second, impatient one.

#include <csignal>

namespace ringproof::verify {

/// The value that a signal passed on carries.
inline sigval passed_on() {
    sigval value{};
    value.sival_int = 0x72'70'63; // "rpc"
    return value;
}

inline bool is_passed_on(const siginfo_t& signal) {
    return signal.si_code == SI_QUEUE && signal.si_value.sival_int == passed_on().sival_int;
}

} // namespace ringproof::verify
