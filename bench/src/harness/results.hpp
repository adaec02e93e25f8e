// SPDX-License-Identifier: Apache-2.0
#pragma once
// What was measured, and what is derived from it: medians within a regime, ratios between neighbours.

#include "measure.hpp"
#include "plan.hpp"
#include "statistics.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ringproof::bench {

struct observation {
    std::size_t subject;
    int repetition;
    measurement m;
};

/// One line of the table: a subject in one regime.
struct row {
    std::size_t subject;
    regime state = regime::none;
    summary ns;               ///< per operation, over steady repetitions (over all when none was steady)
    std::size_t unsteady = 0; ///< repetitions that were not
    /// Our speed divided by this peer's (its time by ours), from repetitions where both were steady in this
    /// regime; above 1 ours is faster. Absent for ours, for limits, and where no such pair exists.
    std::optional<summary> ratio;
    /// The physical limit's share of the result in the same regime: 1 is the limit.
    std::optional<double> of_limit;
    histogram latency; ///< of those repetitions together, where operations were timed one by one
};

/// Whether a run is fit for its purpose, to compare and to be relied on: at least half of its measurements were left
/// alone. One that is not has shown nothing, whatever its medians are.
struct fitness {
    std::size_t taken = 0;        ///< measurements, but for those that failed or cannot be made here
    std::size_t unsteady = 0;     ///< disturbed, and repeating did not help
    std::size_t not_measured = 0; ///< threads that never got to run
    bool fit() const { return 2 * (unsteady + not_measured) <= taken; }
    std::string text() const; ///< "279 of 360 measurements were disturbed …"
};
fitness fitness_of(const std::vector<observation>& seen);

/// The percentiles that so many values can tell: {"p50_ns", …}, then "worst_ns" and "samples".
std::vector<std::pair<std::string, double>> percentiles(const histogram& latency);

/// The curve of the tail for a chart: shares of operations that took longer, from 1/2 down to where ten samples lie
/// beyond, ten to a power of ten, each with its ns; then the longest of all. Empty below twenty samples.
std::vector<std::pair<double, double>> tail_curve(const histogram& latency);

std::vector<row> tabulate(const std::vector<subject>& subjects, const std::vector<observation>& seen);

/// The name that ratios are against. Further ones of ours begin with it and have no ratio, except in policy/….
inline constexpr const char* ours = "ringproof";

} // namespace ringproof::bench
