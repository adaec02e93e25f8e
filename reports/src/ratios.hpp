// SPDX-License-Identifier: Apache-2.0
#pragma once
// Ours against its peers, and which of them came to a standstill.

#include "results.hpp"

namespace ringproof::report {

/// Ours against one peer, as the benchmarks' own median of neighbouring repetitions says.
struct ratio_row {
    std::string workload, placement, peer, regime;
    double median = 0, low = 0, high = 0; ///< times the peer's throughput; above 1 ours is faster
    bool collapsed = false;               ///< a peer that came to a standstill: no speed to compare with
};

/// A peer this many times slower than ours came to a standstill. Queues that hand over in the order of tickets
/// fall to a hundredth or less when the thread whose turn it is loses its CPU; none is so slow by its design.
inline constexpr double collapsed_ratio = 100;

/// A peer that came to a standstill in one benchmark.
struct collapse {
    std::string workload, placement, peer;
    std::string why; ///< what the benchmark said, or how many times slower it was
};

/// When a run was measured; of one form within a machine's results, so that later is greater.
std::string date_of(const document& bench);
/// Runs of benchmarks, oldest first.
std::vector<const document*> runs_of(const std::vector<document>& documents);
/// Of several runs each ratio's newest.
std::vector<ratio_row> ratio_rows(const std::vector<document>& documents);
/// Those that said so, and those whose ratio does; each workload, placement and peer once.
std::vector<collapse> collapses(const std::vector<document>& documents, const std::vector<ratio_row>& ratios);

} // namespace ringproof::report
