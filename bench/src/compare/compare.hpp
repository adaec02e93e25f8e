// SPDX-License-Identifier: Apache-2.0
#pragma once
// What changed between two runs of the benchmarks, and whether chance explains it.
//
// Values of one benchmark in one regime are compared by ranks, and all the tests of a comparison are adjusted
// together: with two hundred benchmarks and a 5 % test each, ten would differ between a build and itself.
// Two runs of one build differ by more than chance within a run explains: memory lies elsewhere, the hypervisor has
// moved a CPU. How much, the limits tell, which are the same code in both: a change is told when it is beyond theirs.
// `--fail-on 10%` asks another question than "did it change": is the new one more than 10 % slower, beyond what
// chance explains? So a benchmark that is 3 % slower for certain does not fail, and neither does one that is 30 %
// slower in a run too noisy to tell.

#include "../harness/statistics.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ringproof::bench {

/// The values of one benchmark in both runs, in ns.
struct sample_pair {
    std::string name; ///< with its regime
    std::vector<double> before;
    std::vector<double> after;
    bool limit = false;     ///< of the machine, not of any code
    bool disturbed = false; ///< in one of the runs there was no repetition that the machine left alone
};

enum class verdict {
    same,      ///< no difference that chance would not explain
    faster,    ///< and chance doesn't explain it
    slower,    ///< the same, but by less than what was asked to fail on (or nothing was asked)
    failed,    ///< slower by more than what was asked to fail on
    disturbed, ///< nothing can be told: other programs, or the hypervisor, had a hand in it
    too_few,   ///< so few repetitions can't show anything, whatever they are
};

struct change {
    sample_pair what;
    double ratio = 1; ///< median after / median before
    interval ci;      ///< of the ratio, 95 %
    double p = 1;     ///< that there is no difference, adjusted
    verdict says = verdict::same;
};

struct comparison {
    std::vector<change> changes;
    /// Median change of the machine's own limits, when it is beyond what is to fail: then nothing is not found either.
    std::optional<double> drift;
    bool failed = false;
    double tolerance = 0; ///< changes within this share are not told: the limits moved as much

    /// Not a single benchmark had enough repetitions that the machine left alone.
    bool undecided() const;
};

inline constexpr double significance = 0.05;
/// No change within 3 % is told, however quiet the limits were.
inline constexpr double least_told = 0.03;

/// @param fail_on 0.1 for 10 %; absent: nothing fails
comparison compare(const std::vector<sample_pair>& pairs, std::optional<double> fail_on);

/// Repetitions that each run needs for a comparison of `tests` benchmarks to be able to show anything.
std::size_t needed_repetitions(std::size_t tests);

/// `ringproof bench compare OLD NEW …`. @return the exit code
int compare_main(int argc, char** argv);

} // namespace ringproof::bench
