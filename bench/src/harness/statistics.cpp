// SPDX-License-Identifier: Apache-2.0
#include "statistics.hpp"

#include <algorithm>
#include <stdexcept>

namespace ringproof::bench {

double median(std::vector<double> sample) {
    if (sample.empty()) throw std::invalid_argument("the median of nothing");
    const auto middle = sample.begin() + static_cast<std::ptrdiff_t>(sample.size() / 2);
    std::nth_element(sample.begin(), middle, sample.end());
    if (sample.size() % 2 != 0) return *middle;
    return (*std::max_element(sample.begin(), middle) + *middle) / 2;
}

summary summarise(const std::vector<double>& sample) {
    if (sample.empty()) return {};
    const auto [low, high] = std::minmax_element(sample.begin(), sample.end());
    return {*low, median(sample), *high, sample.size()};
}

} // namespace ringproof::bench
