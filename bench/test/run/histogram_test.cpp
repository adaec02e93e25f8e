// SPDX-License-Identifier: Apache-2.0
#include "../../src/run/histogram.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::bench;

TEST_CASE(
    "Buckets follow each other without gap, and a value lies in the middle of its own to within 0.8 %") {
    std::size_t last = histogram::bucket_of(0);
    for (std::uint64_t v = 1; v < 1'000'000; ++v) {
        const std::size_t b = histogram::bucket_of(v);
        if (b != last && b != last + 1) FAIL("a gap at " << v);
        last = b;
    }
    for (std::uint64_t v : {std::uint64_t{1}, std::uint64_t{127}, std::uint64_t{128}, std::uint64_t{1000003},
                            std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
        INFO(v);
        REQUIRE(histogram::bucket_of(v) < histogram::buckets);
        CHECK(histogram::value_of(histogram::bucket_of(v)) == Approx(static_cast<double>(v)).epsilon(0.004));
    }
}

TEST_CASE("Quantiles of 1 to 10000 are themselves") {
    histogram h;
    for (std::uint64_t v = 10000; v > 0; --v) h.add(v);
    CHECK(h.count() == 10000);
    CHECK(h.max() == 10000);
    CHECK(h.quantile(0.5) == Approx(5000).epsilon(0.008));
    CHECK(h.quantile(0.99) == Approx(9900).epsilon(0.008));
    CHECK(h.quantile(1) == Approx(10000).epsilon(0.008));
    CHECK(h.quantile(0.0001) == 1);
    CHECK(histogram().quantile(0.5) == 0);
}

TEST_CASE("Merging is as if all had been added to one") {
    histogram a, b;
    for (std::uint64_t v = 0; v < 100; ++v) (v % 2 ? a : b).add(v);
    a.merge(b);
    CHECK(a.count() == 100);
    CHECK(a.max() == 99);
    CHECK(a.quantile(0.5) == 49);
}

TEST_CASE("The 99th percentile takes a thousand values, the 99.9th ten thousand") {
    CHECK_FALSE(histogram::enough(0.99, 999));
    CHECK(histogram::enough(0.99, 1000));
    CHECK_FALSE(histogram::enough(0.999, 9999));
    CHECK(histogram::enough(0.999, 10000));
}
