// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace ringproof::bench {

/// @throws std::invalid_argument on an empty sample
double median(std::vector<double> sample);

/// What is printed of a set of repetitions. Zeros and n = 0 for an empty one.
struct summary {
    double min = 0;
    double median = 0;
    double max = 0;
    std::size_t n = 0;
};
summary summarise(const std::vector<double>& sample);

} // namespace ringproof::bench
