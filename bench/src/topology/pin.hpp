// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ringproof::bench {

/// Pins the calling thread to one CPU. False when the system refuses.
bool pin_this_thread(int cpu);

/// How the measuring threads stand against other programs. `high` is the usual policy at nice -20, where
/// permitted: others still get their one percent. `realtime` is SCHED_FIFO, which they do not survive long.
enum class urgency { normal, high, realtime };

/// Applies to the calling thread. The thread that starts and stops the others is `above` them, or it would
/// wait for those it is to stop. Real time not permitted becomes high, high not permitted stays normal.
/// @return what was granted
urgency set_urgency(urgency wanted, bool above = false);

} // namespace ringproof::bench
