// SPDX-License-Identifier: Apache-2.0
#pragma once
// Times of a benchmark are skewed and have outliers, so nothing here assumes a distribution: medians, intervals
// by resampling, and tests by ranks.

#include <cstddef>
#include <vector>

namespace ringproof::bench {

/// @throws std::invalid_argument on an empty sample
double median(std::vector<double> sample);

struct interval {
    double low = 0;
    double high = 0;
};

/// The 95 % interval of the median by the percentile bootstrap (B. Efron, 1979): 2,000 resamples drawn with a
/// fixed seed, so that the same data give the same interval. With fewer than six values it is hardly narrower
/// than the range.
/// @throws std::invalid_argument on an empty sample
interval median_interval(const std::vector<double>& sample);

/// The same for median(b) / median(a), both resampled. @throws std::invalid_argument on an empty sample
interval ratio_interval(const std::vector<double>& a, const std::vector<double>& b);

/// What is printed of a set of repetitions. Zeros and n = 0 for an empty one.
struct summary {
    double min = 0;
    double median = 0;
    double max = 0;
    std::size_t n = 0;
    interval ci; ///< of the median, 95 %

    /// The slowest by the median; 1 where there is none.
    double spread() const { return median > 0 ? max / median : 1; }
    /// A run of the user's own may well be far from the median: the slowest is above 1.5 times it.
    bool scattered() const { return spread() > 1.5; }
};
summary summarise(const std::vector<double>& sample);

/// The test of H. B. Mann and D. R. Whitney (1947): do the two samples come from one distribution?
struct rank_test {
    double p = 1;       ///< that samples of one distribution differ as much as these, either way
    double p_above = 1; ///< … that b lies as much above a as here
};
/// Exact where there are no ties and the samples are small, else by the normal approximation with corrections for
/// ties and continuity. 1 when a sample is empty.
rank_test mann_whitney(const std::vector<double>& a, const std::vector<double>& b);

/// The least p that samples of these sizes can ever give, one-sided.
double least_p(std::size_t a, std::size_t b);

/// S. Holm (1979): p-values adjusted so that the chance of even one false alarm among all of them stays what a
/// single test has. In the order given.
/// @param tests how many of them are tests at all, when the others are 1 by definition
std::vector<double> holm(const std::vector<double>& p, std::size_t tests);

} // namespace ringproof::bench
