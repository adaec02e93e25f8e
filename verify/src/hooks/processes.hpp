// SPDX-License-Identifier: Apache-2.0
#pragma once
// Processes that the program makes by fork().

#include "../program/thread.hpp"

#include <cstdint>
#include <sys/types.h>

namespace ringproof::verify {

/// Ends the process of the running thread, which has no other.
[[noreturn]] void end_process(int code, std::uintptr_t site);

/// The first thread of the child `pid` of the running one, or null.
const thread_state* forked(pid_t pid);
/// The number of the process of the running thread, which fork() made.
pid_t pid_of_self();

/// What /proc/<pid>/stat says of a process that fork() made, in the program's heap; null where `path` is no such file.
const char* text_of_process(const char* path, std::uintptr_t site);

/// Refuses what is done to the process `pid` if fork() made it, or made the one that asks.
void refuse_if_forked(pid_t pid, const char* what, std::uintptr_t site);

} // namespace ringproof::verify
