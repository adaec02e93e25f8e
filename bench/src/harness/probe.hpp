// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ringproof::bench {

/// The median time, in ns, of a round trip of one cache line between two CPUs, over `trips` trips (2000
/// take less than 1 ms). The median of batches, so that a preemption inside does not show.
/// @return 0 when the CPUs are one and the same, or when the threads did not meet within 100 ms
double probe_round_trip(int cpu_a, int cpu_b, int trips = 2000);

} // namespace ringproof::bench
