// SPDX-License-Identifier: Apache-2.0
#include "../../src/harness/statistics.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <stdexcept>

using namespace ringproof::bench;

TEST_CASE("The median is the middle one, or the mean of the two in the middle") {
    CHECK(median({3}) == 3);
    CHECK(median({9, 1, 5}) == 5);
    CHECK(median({4, 1, 3, 2}) == 2.5);
    CHECK_THROWS_AS(median({}), std::invalid_argument);
}

TEST_CASE("A summary has the extremes and the number, and of nothing it is zero") {
    const summary s = summarise({5, 2, 11});
    CHECK(s.min == 2);
    CHECK(s.median == 5);
    CHECK(s.max == 11);
    CHECK(s.n == 3);
    CHECK(summarise({}).n == 0);
}

TEST_CASE("Scattered is a sample whose slowest is above 1.5 times its median") {
    CHECK(summarise({4, 4, 6}).spread() == Approx(1.5));
    CHECK_FALSE(summarise({4, 4, 6}).scattered());
    CHECK(summarise({4, 4, 6.1}).scattered());
    CHECK_FALSE(summarise({1, 4, 4}).scattered()); // fast ones do no harm
    CHECK_FALSE(summarise({}).scattered());
}

TEST_CASE("The test by ranks gives the exact figures of small samples") {
    CHECK(mann_whitney({1, 2, 3}, {4, 5, 6}).p_above == Approx(1.0 / 20));
    CHECK(mann_whitney({1, 2, 3}, {4, 5, 6}).p == Approx(0.1));
    CHECK(mann_whitney({4, 5, 6}, {1, 2, 3}).p == Approx(0.1));
    CHECK(mann_whitney({4, 5, 6}, {1, 2, 3}).p_above == Approx(1));
    CHECK(mann_whitney({1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}).p == Approx(2.0 / 252));
    // Counted by hand over all 126 ways to choose.
    CHECK(mann_whitney({1.1, 2.2, 3.3, 5.5}, {2.5, 4.4, 6.6, 7.7, 8.8}).p_above == Approx(7.0 / 126));
    CHECK(mann_whitney({}, {1}).p == 1);
}

TEST_CASE("Ties take the normal approximation, and equal samples differ in nothing") {
    CHECK(mann_whitney({1, 2, 2, 3}, {2, 3, 4, 5}).p_above == Approx(0.0683).epsilon(0.001));
    CHECK(mann_whitney({7, 7, 7}, {7, 7, 7}).p == 1);
}

TEST_CASE("Samples of one distribution look different at 5 % in about 5 % of all cases") {
    std::mt19937_64 chance(7);
    const auto time = [&] { return 10 + std::pow(static_cast<double>(chance() % 100000) / 1e5, 6) * 40; };
    int alarms = 0;
    constexpr int trials = 2000;
    for (int i = 0; i < trials; ++i) {
        std::vector<double> a(9), b(9);
        for (double& x : a) x = time();
        for (double& x : b) x = time();
        alarms += mann_whitney(a, b).p < 0.05;
    }
    CHECK(alarms > trials * 0.025);
    CHECK(alarms < trials * 0.065);
}

TEST_CASE("Holm's adjustment is the book's") {
    const auto p = holm({0.01, 0.04, 0.03, 0.005}, 4);
    CHECK(p[3] == Approx(0.02));
    CHECK(p[0] == Approx(0.03));
    CHECK(p[2] == Approx(0.06));
    CHECK(p[1] == Approx(0.06));
}

TEST_CASE("The interval of a median covers the true one in about 95 of 100 samples") {
    std::mt19937_64 chance(3);
    int covered = 0;
    constexpr int trials = 300;
    for (int i = 0; i < trials; ++i) {
        std::vector<double> sample(15);
        for (double& x : sample)
            x = -std::log((static_cast<double>(chance() % 1000000) + 0.5) / 1e6); // exponential
        const interval ci = median_interval(sample);
        covered += ci.low <= std::log(2.0) && std::log(2.0) <= ci.high;
    }
    CHECK(covered > trials * 0.90);
    CHECK(covered < trials);
    CHECK(median_interval({4}).low == 4);
    CHECK_THROWS_AS(median_interval({}), std::invalid_argument);
}
