// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "../program/thread.hpp"

namespace ringproof::verify {

/// What a thread of the program does at its end: destructors of thread_local objects, then of keys' values.
void end_of_thread();

/// What the first thread does when main returns, and any thread that calls exit(), whoever comes first: what was
/// registered by atexit(), and the destructors of static objects, the last one first.
void end_of_program();

/// What the thread of a process that fork() made does when it calls exit(), or main returns. It does not return.
void exit_process(int code);

/// The calling thread ends because the program has: another one has called exit().
[[noreturn]] void end_with_program(std::uintptr_t site);
/// Whether `t` is gone in that way, or has called exit() itself: whoever would wait for it does so no more.
bool ended_program(const thread_state& t);

} // namespace ringproof::verify
