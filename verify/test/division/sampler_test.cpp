// SPDX-License-Identifier: Apache-2.0
#include "../../src/division/sampler.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace ringproof::verify;

namespace {

/// A skewed tree: the last way of each decision leads to another with three ways, the others to an end.
constexpr std::uint32_t deep = 8;

double estimate(sampler& by) {
    std::uint32_t depth = 0;
    while (depth < deep) {
        crossing at;
        at.kind = 1;
        at.index = depth;
        at.options = 3;
        if (by.pick(at) != 2) break;
        ++depth;
    }
    return by.end(1);
}

} // namespace

TEST_CASE("estimates have the number of leaves as their mean, whatever was learnt") {
    const bool learns = GENERATE(false, true);
    sampler by(7, learns);
    double sum = 0;
    constexpr int walks = 200'000;
    for (int i = 0; i < walks; ++i) sum += estimate(by);
    CHECK(sum / walks == Approx(2 * deep + 1).epsilon(0.05));
}

TEST_CASE("less than some number of ways is each as likely") {
    sampler by(1, true);
    int seen[5] = {};
    for (int i = 0; i < 50'000; ++i) ++seen[by.below(5)];
    for (const int times : seen) CHECK(times == Approx(10'000).epsilon(0.05));
}
