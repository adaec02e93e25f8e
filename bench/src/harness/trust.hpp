// SPDX-License-Identifier: Apache-2.0
#pragma once
// What of this machine makes results untrustworthy.

#include <string>
#include <vector>

namespace ringproof::bench {

/// CPU time so far, in clock ticks, from the first line of /proc/stat.
struct cpu_ticks {
    unsigned long long total = 0;
    unsigned long long steal = 0;
};
/// @return zeros when `line` is not a "cpu …" line
cpu_ticks parse_cpu_ticks(const std::string& line);
cpu_ticks read_cpu_ticks();

/// One sentence each: hypervisor, frequency governor, load by others, sanitizers, debug build.
std::vector<std::string> warnings_before(const std::vector<int>& cpus);
/// Steal between `start` and now.
std::vector<std::string> warnings_after(const cpu_ticks& start);

} // namespace ringproof::bench
