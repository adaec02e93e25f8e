// SPDX-License-Identifier: Apache-2.0
#pragma once
// Signals that kill a process which fork() made.

#include "../program/thread.hpp"

#include <cstdint>
#include <optional>
#include <sys/types.h>

namespace ringproof::verify {

/// kill() by the program. @return what it returns, or nothing: fork() made neither the process `pid` nor the one that asks
std::optional<int> kill_forked(pid_t pid, int signal, std::uintptr_t site);

/// Whether `t` is a signal on its way, and no thread of the program's.
bool is_signal(const thread_state& t);

} // namespace ringproof::verify
