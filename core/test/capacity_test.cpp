// SPDX-License-Identifier: Apache-2.0
#include "ringproof/capacity.hpp"

#include <catch2/catch.hpp>
#include <limits>

using Catch::Matchers::Contains;
using ringproof::detail::checked_capacity;

namespace {

constexpr std::size_t half = std::numeric_limits<std::size_t>::max() / 2 + 1; ///< of all that can be counted

} // namespace

TEST_CASE("a power of two from the least on is a capacity") {
    CHECK(checked_capacity(2, 2, 8, "items") == 2);
    CHECK(checked_capacity(64, 64, 1, "bytes") == 64);
    CHECK(checked_capacity(half / 2, 2, 1, "bytes") == half / 2);
}

TEST_CASE("any other capacity is refused with its reason") {
    CHECK_THROWS_WITH(checked_capacity(0, 2, 1, "items"), Contains("power of two"));
    CHECK_THROWS_WITH(checked_capacity(3, 2, 1, "items"),
                      Contains("a ring of 3 items") && Contains("power of two"));
    CHECK_THROWS_WITH(checked_capacity(1, 2, 1, "items"), Contains("the smallest is 2"));
    CHECK_THROWS_WITH(checked_capacity(32, 64, 1, "bytes"), Contains("the smallest is 64"));
    CHECK_THROWS_WITH(checked_capacity(std::numeric_limits<std::size_t>::max(), 2, 1, "items"),
                      Contains("power of two"));
}

TEST_CASE("a capacity whose bytes overflow is refused before anything is allocated") {
    CHECK_THROWS_WITH(checked_capacity(half / 4, 2, 8, "items"), Contains("address space"));
    CHECK_THROWS_WITH(checked_capacity(half, 2, 1, "bytes"), Contains("address space"));
}
