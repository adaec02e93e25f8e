// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ringproof::verify {

/// What a thread of the program does at its end: destructors of thread_local objects, then of keys' values.
void end_of_thread();

} // namespace ringproof::verify
