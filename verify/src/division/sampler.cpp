// SPDX-License-Identifier: Apache-2.0
#include "sampler.hpp"

#include <algorithm>
#include <cmath>

namespace ringproof::verify {
namespace {

constexpr double even_share = 0.3; // of choices made evenly, so that no way goes unseen

/// What a way is, where the program is apart: the first, the nth other option, the nth revisit.
std::uint64_t way_class(const crossing& at, std::uint32_t way) {
    const bool revisit = way >= at.options;
    const std::uint32_t nth = std::min(revisit ? way - at.options : way, 63u);
    return std::uint64_t{at.kind} << 8 | std::uint64_t{revisit} << 6 | nth;
}

std::uint64_t way_key(const crossing& at, std::uint32_t way) {
    return std::uint64_t{1} << 63 | std::uint64_t{at.thread} << 56 |
           std::uint64_t{at.index & 0xff'ffffu} << 32 | std::uint64_t{std::min(at.options, 255u)} << 24 |
           std::uint64_t{std::min(at.revisits, 255u)} << 16 | way_class(at, way);
}

} // namespace

void sampler::learn(std::uint64_t key, double value) {
    seen& s = seen_[key];
    s.walks += 1;
    s.squares += value * value;
}

/// The root of the mean square of what is below: choosing in proportion to it makes the spread of the
/// estimates least. Little seen is filled up with what was below ways of its class.
double sampler::worth(std::uint64_t key, std::uint64_t coarse) const {
    constexpr double prior = 5; // walks
    double squares = 0, walks = 0;
    if (const auto at = seen_.find(key); at != seen_.end()) {
        squares = at->second.squares;
        walks = at->second.walks;
    }
    double expected = 1;
    if (const auto at = seen_.find(coarse); at != seen_.end() && at->second.walks > 0)
        expected = at->second.squares / at->second.walks;
    return std::sqrt((squares + prior * expected) / (walks + prior));
}

std::uint32_t sampler::pick(const crossing& at) {
    const std::uint32_t ways = at.ways();
    if (ways == 1) return 0;
    if (!learns_) {
        const std::uint32_t way = below(ways);
        path_.push_back({0, 0, 1.0 / ways});
        return way;
    }
    chances_.clear();
    double all = 0;
    for (std::uint32_t w = 0; w < ways; ++w) {
        chances_.push_back(worth(way_key(at, w), way_class(at, w)));
        all += chances_.back();
    }
    double left = uniform();
    std::uint32_t way = 0;
    for (double& c : chances_) c = all > 0 ? (1 - even_share) * c / all + even_share / ways : 1.0 / ways;
    while (way + 1 < ways && left >= chances_[way]) left -= chances_[way++];
    path_.push_back({way_key(at, way), way_class(at, way), chances_[way]});
    return way;
}

double sampler::end(double value) {
    for (; !path_.empty(); path_.pop_back()) {
        const taken& t = path_.back();
        if (learns_) {
            learn(t.key, value);
            learn(t.coarse, value);
        }
        value /= t.chance;
    }
    return value;
}

} // namespace ringproof::verify
