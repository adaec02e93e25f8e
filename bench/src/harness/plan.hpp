// SPDX-License-Identifier: Apache-2.0
#pragma once
// In which order what is measured: round after round over everything, and within a workload all peers one
// after the other, so that a ratio compares neighbours in time: A B C … A B C, not A A … B B … C C.

#include "../workload/catalogue.hpp"
#include "options.hpp"

#include <string>
#include <vector>

namespace ringproof::bench {

/// One benchmark at one placement: what is repeated.
struct subject {
    const entry* what = nullptr;
    placement where;

    std::string group() const; ///< "spsc/items:8/throughput/same-l3"
    std::string name() const;  ///< group and peer
};

/// Every entry of this kind of run (with a filter: of any kind) that matches, at every placement asked for; members of a group side by side. Limits go
/// where single-producer workloads go. With `o.quick` only the placement nearest of those whose CPUs
/// share no core.
/// @throws std::invalid_argument as place() does
std::vector<subject> subjects(const catalogue& all, const machine& m, const options& o);

struct step {
    std::size_t subject;
    int repetition;
};
std::vector<step> interleave(std::size_t subjects, int repetitions);

/// Time of one measurement with its warm-up, probes and thread starts.
double seconds_per_step(double measure_seconds);
/// As many repetitions as fit `budget` seconds: at least 3, at most 15, odd so that the median is one of
/// them.
int affordable_repetitions(std::size_t subjects, double measure_seconds, double budget);

} // namespace ringproof::bench
