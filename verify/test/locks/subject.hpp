// SPDX-License-Identifier: Apache-2.0
#pragma once
// Running a generated program, for the engine to explore.

#include "program.hpp"

#include <string>

namespace ringproof::verify::locks {

/// Which program runs, and how it waits. It lies beside the memory of the program, which is restored.
struct running_program {
    const program* subject = nullptr;
    int most_failed = 0;   ///< polls that fail before the execution is left out; 0: always again
    bool tries = false;    ///< locks are tried until they are free, and not waited for
    bool together = false; ///< both mutexes by std::lock(); otherwise as it does
    bool timed = false;    ///< loops wait with a time-out; otherwise they poll
    bool looks = false;    ///< the words of updates.hpp are looked at in the end
};
extern running_program running;

void run_all();
/// What the threads have seen, and the words.
std::string state();
/// The same, with the rounds that there were at the barrier.
std::string state_and_rounds();

} // namespace ringproof::verify::locks
