// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ringproof::bench {

/// Pins the calling thread to one CPU. False when the system refuses.
bool pin_this_thread(int cpu);

/// Gives the calling thread SCHED_FIFO at the lowest real-time priority. False when not permitted.
bool make_this_thread_realtime();

} // namespace ringproof::bench
