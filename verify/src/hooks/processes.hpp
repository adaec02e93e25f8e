// SPDX-License-Identifier: Apache-2.0
#pragma once
// Processes that the program makes by fork().

#include <cstdint>
#include <sys/types.h>

namespace ringproof::verify {

/// Ends the process of the running thread, which has no other.
[[noreturn]] void end_process(int code, std::uintptr_t site);

/// Refuses what is done to the process `pid` if fork() made it, or made the one that asks.
void refuse_if_forked(pid_t pid, const char* what, std::uintptr_t site);

} // namespace ringproof::verify
