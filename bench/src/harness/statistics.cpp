// SPDX-License-Identifier: Apache-2.0
#include "statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <stdexcept>

namespace ringproof::bench {
namespace {

constexpr int resamples = 2000;

/// Medians of resamples, by calls. Drawing is written out: std's distributions differ between libraries.
class resampler {
  public:
    explicit resampler(const std::vector<double>& from) : from_(from), drawn_(from.size()) {
        if (from.empty()) throw std::invalid_argument("no interval from nothing");
    }
    double operator()(std::mt19937_64& chance) {
        for (double& d : drawn_) d = from_[chance() % from_.size()];
        return median(drawn_);
    }

  private:
    const std::vector<double>& from_;
    std::vector<double> drawn_;
};

interval middle_95(std::vector<double>& values) {
    std::sort(values.begin(), values.end());
    const auto at = [&](double q) {
        return values[static_cast<std::size_t>(std::lround(q * static_cast<double>(values.size() - 1)))];
    };
    return {at(0.025), at(0.975)};
}

/// P(U <= u) for sizes n and m without ties: the number of ways to have rank sum u over all ways.
double exact_tail(std::size_t n, std::size_t m, std::size_t u) {
    // ways[k]: subsets of the first i+j ranks with U = k, by the usual recursion f(n, m) = f(n-1, m)(k-m) + f(n, m-1)(k).
    std::vector<std::vector<std::vector<double>>> f(
        n + 1, std::vector<std::vector<double>>(m + 1, std::vector<double>(u + 1, 0)));
    for (std::size_t i = 0; i <= n; ++i)
        for (std::size_t j = 0; j <= m; ++j)
            for (std::size_t k = 0; k <= u; ++k)
                f[i][j][k] =
                    i == 0 || j == 0 ? (k == 0 ? 1 : 0) : (k >= j ? f[i - 1][j][k - j] : 0) + f[i][j - 1][k];
    const double ways = std::accumulate(f[n][m].begin(), f[n][m].end(), 0.0);
    return ways * least_p(n, m);
}

double normal_tail(double z) { return 0.5 * std::erfc(z / std::sqrt(2.0)); }

} // namespace

double median(std::vector<double> sample) {
    if (sample.empty()) throw std::invalid_argument("the median of nothing");
    const auto middle = sample.begin() + static_cast<std::ptrdiff_t>(sample.size() / 2);
    std::nth_element(sample.begin(), middle, sample.end());
    if (sample.size() % 2 != 0) return *middle;
    return (*std::max_element(sample.begin(), middle) + *middle) / 2;
}

interval median_interval(const std::vector<double>& sample) {
    resampler one(sample);
    std::mt19937_64 chance(1);
    std::vector<double> medians(resamples);
    for (double& m : medians) m = one(chance);
    return middle_95(medians);
}

interval ratio_interval(const std::vector<double>& a, const std::vector<double>& b) {
    resampler below(a), above(b);
    std::mt19937_64 chance(1);
    std::vector<double> ratios(resamples);
    for (double& r : ratios) {
        const double d = below(chance);
        r = above(chance) / d;
    }
    return middle_95(ratios);
}

summary summarise(const std::vector<double>& sample) {
    if (sample.empty()) return {};
    const auto [low, high] = std::minmax_element(sample.begin(), sample.end());
    return {*low, median(sample), *high, sample.size(), median_interval(sample)};
}

double least_p(std::size_t a, std::size_t b) {
    double p = 1; // one over a + b choose a
    for (std::size_t i = 1; i <= a; ++i) p *= static_cast<double>(i) / static_cast<double>(b + i);
    return p;
}

rank_test mann_whitney(const std::vector<double>& a, const std::vector<double>& b) {
    if (a.empty() || b.empty()) return {};
    double above = 0; // pairs in which b is above a; ties count half
    for (const double x : a)
        for (const double y : b) above += y > x ? 1 : y < x ? 0 : 0.5;
    const auto n = static_cast<double>(a.size()), m = static_cast<double>(b.size());

    std::vector<double> all(a);
    all.insert(all.end(), b.begin(), b.end());
    std::sort(all.begin(), all.end());
    double ties = 0;
    for (std::size_t i = 0, j = 0; i < all.size(); i = j) {
        while (j < all.size() && all[j] == all[i]) ++j;
        const auto t = static_cast<double>(j - i);
        ties += t * t * t - t;
    }
    rank_test result;
    double p_below = 1;
    if (ties == 0 && a.size() <= 20 && b.size() <= 20) {
        const auto u = static_cast<std::size_t>(above), pairs = a.size() * b.size();
        result.p_above = exact_tail(a.size(), b.size(), pairs - u);
        p_below = exact_tail(a.size(), b.size(), u);
    } else {
        const double both = n + m;
        const double variance = n * m / 12 * (both + 1 - ties / (both * (both - 1)));
        if (variance <= 0) return {}; // all values are one
        const double z = (above - n * m / 2) / std::sqrt(variance), half = 0.5 / std::sqrt(variance);
        result.p_above = normal_tail(z - half);
        p_below = normal_tail(-z - half);
    }
    result.p = std::min(1.0, 2 * std::min(result.p_above, p_below));
    return result;
}

std::vector<double> holm(const std::vector<double>& p, std::size_t tests) {
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) { return p[x] < p[y]; });
    std::vector<double> adjusted(p.size());
    double least = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        least = std::max(least, std::min(1.0, p[order[i]] * static_cast<double>(i < tests ? tests - i : 1)));
        adjusted[order[i]] = least;
    }
    return adjusted;
}

} // namespace ringproof::bench
