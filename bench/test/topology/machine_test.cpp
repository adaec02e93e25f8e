// SPDX-License-Identifier: Apache-2.0
#include "../../src/topology/machine.hpp"

#include "machines.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

using namespace ringproof::bench;

TEST_CASE("Distance is the nearest thing two CPUs share") {
    const machine m = test::two_sockets();
    const auto between = [&](int a, int b) { return distance_between(*m.find(a), *m.find(b)); };
    CHECK(between(0, 0) == distance::same_cpu);
    CHECK(between(0, 1) == distance::smt_sibling);
    CHECK(between(0, 2) == distance::same_l2);
    CHECK(between(0, 4) == distance::same_l3);
    CHECK(between(0, 8) == distance::same_package);
    CHECK(between(0, 16) == distance::other_package);
}

TEST_CASE("CPUs without a common cache in the topology are not taken to share one") {
    const cpu a{0, -1, -1, -1, 0, 0}, b{1, -1, -1, -1, 0, 0};
    CHECK(distance_between(a, b) == distance::same_package);
}

TEST_CASE("Every class has a name that parses back, and an unknown name lists them") {
    for (int d = 0; d <= static_cast<int>(distance::oversubscribed); ++d)
        CHECK(parse_distance(to_string(static_cast<distance>(d))) == static_cast<distance>(d));
    CHECK_THROWS_WITH(parse_distance("same-l4"), Catch::Contains("same-l4") && Catch::Contains("same-l3"));
}

TEST_CASE("The machine this runs on has at least the CPU it runs on") {
    const machine m = machine::detect();
    REQUIRE_FALSE(m.cpus.empty());
    CHECK(m.find(m.cpus.front().index) == &m.cpus.front());
    CHECK(m.find(1 << 20) == nullptr);
}
