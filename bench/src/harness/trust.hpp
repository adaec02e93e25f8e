// SPDX-License-Identifier: Apache-2.0
#pragma once
// What of this machine makes results untrustworthy.

#include <iosfwd>
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

/// Does what /proc/cpuinfo says belong to a processor that this program was not built for?
bool is_emulated(std::istream& cpuinfo, bool for_x86);

/// One sentence each: emulation, hypervisor, frequency governor, load by others, sanitizers, debug build.
std::vector<std::string> warnings_before(const std::vector<int>& cpus);
/// Steal between `start` and now.
std::vector<std::string> warnings_after(const cpu_ticks& start);

} // namespace ringproof::bench
