// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ringproof::verify {

/// What a thread of the program does at its end: destructors of thread_local objects, then of keys' values.
void end_of_thread();

/// What the first thread does when main returns, or when it calls exit(): what was registered by atexit(), and the
/// destructors of function-local statics, the last one first. Those registered before main are left to the process.
void end_of_program();

} // namespace ringproof::verify
