// SPDX-License-Identifier: Apache-2.0
#pragma once
// What this machine is for a benchmark: what makes its results untrustworthy, and what to do about it.
//
// Everything that lies in files is read below a root folder, so that the judgements can be tested.

#include <filesystem>
#include <string>
#include <vector>

namespace ringproof::bench {

enum class health {
    good,
    note,    ///< good to know
    suspect, ///< results from here can't be trusted, or not fully
};

struct finding {
    health state = health::good;
    std::string subject; ///< "turbo"
    std::string found;   ///< "on"
    std::string means;   ///< for the results; empty where good
    std::string remedy;  ///< what to do; empty where nothing can be done or need be
};

/// From files only: processor, caches, SMT, frequency, turbo, isolation, hypervisor, load, quota, perf permission,
/// huge pages, clock source, NUMA. What a kernel does not tell is left out or said to be unknown.
/// @param root "/" but in tests
std::vector<finding> examine_files(const std::filesystem::path& root);

/// What has to be tried: steal and the ping-pong probe over half a second, priorities, perf_event_open.
std::vector<finding> examine_live();

/// The checkers that `ringproof verify --second-opinion` can ask: whether their programs stand in `folder`, and answer.
std::vector<finding> examine_opinions(const std::filesystem::path& folder);

/// `ringproof doctor …`. @return the exit code
int doctor_main(int argc, char** argv);

} // namespace ringproof::bench
