// SPDX-License-Identifier: Apache-2.0
#include "../../src/harness/statistics.hpp"

#include <catch2/catch.hpp>
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
