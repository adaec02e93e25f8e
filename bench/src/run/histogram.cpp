// SPDX-License-Identifier: Apache-2.0
#include "histogram.hpp"

#include <algorithm>
#include <cmath>

namespace ringproof::bench {

double histogram::value_of(std::size_t bucket) {
    constexpr std::size_t linear = std::size_t{1} << sub_bits;
    if (bucket < linear) return static_cast<double>(bucket);
    const std::size_t shift = (bucket >> sub_bits) - 1;
    const double width = std::ldexp(1.0, static_cast<int>(shift));
    return (static_cast<double>(linear + bucket % linear) + 0.5) * width - 0.5;
}

double histogram::quantile(double q) const {
    if (total_ == 0) return 0;
    const auto rank = std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(std::ceil(q * static_cast<double>(total_) - 1e-9)));
    std::uint64_t below = 0;
    for (std::size_t i = 0; i < buckets; ++i) {
        below += counts_[i];
        if (below >= rank) return std::min(value_of(i), static_cast<double>(max_));
    }
    return static_cast<double>(max_);
}

} // namespace ringproof::bench
