// SPDX-License-Identifier: Apache-2.0
#include "../../src/topology/placement.hpp"

#include "machines.hpp"

#include <catch2/catch.hpp>
#include <set>

using namespace ringproof::bench;

TEST_CASE("auto gives one placement for each class that exists, at that distance") {
    const machine m = test::two_sockets();
    const auto places = place(m, parse_placement("auto"), 1);
    REQUIRE(places.size() == 5);
    for (const placement& p : places)
        CHECK(distance_between(*m.find(p.producers[0]), *m.find(p.consumer)) == p.kind);
    CHECK(places.front().kind == distance::smt_sibling);
    CHECK(places.back().kind == distance::other_package);
}

TEST_CASE("Two cores under one L3 give same-l3 and nothing else") {
    const auto places = place(test::small_virtual_machine(), parse_placement("auto"), 1);
    REQUIRE(places.size() == 1);
    CHECK(places[0].kind == distance::same_l3);
}

TEST_CASE("More threads than CPUs are oversubscribed and named so, the consumer on a CPU of its own") {
    const auto places = place(test::small_virtual_machine(), parse_placement("auto"), 2);
    REQUIRE(places.size() == 1);
    CHECK(places[0].kind == distance::oversubscribed);
    CHECK(places[0].producers == std::vector<int>{1, 1});
    CHECK(places[0].consumer == 0);
}

TEST_CASE("Further producers get CPUs of their own") {
    for (const placement& p : place(test::two_sockets(), parse_placement("auto"), 4)) {
        const std::set<int> distinct(p.producers.begin(), p.producers.end());
        CHECK(distinct.size() == 4);
        CHECK(distinct.count(p.consumer) == 0);
    }
}

TEST_CASE("A class that is not there gives no placement") {
    CHECK(place(test::small_virtual_machine(), parse_placement("other-package"), 1).empty());
}

TEST_CASE("Oversubscription can be asked for with any number of producers") {
    for (const std::size_t producers : {1, 2, 8}) {
        const auto places = place(test::two_sockets(), parse_placement("oversubscribed"), producers);
        REQUIRE(places.size() == 1);
        std::set<int> used(places[0].producers.begin(), places[0].producers.end());
        used.insert(places[0].consumer);
        CHECK(used.size() <= producers);
    }
}

TEST_CASE("CPUs by number are taken as given, and their class is found") {
    const auto places = place(test::two_sockets(), parse_placement("16,17:0"), 2);
    REQUIRE(places.size() == 1);
    CHECK(places[0].producers == std::vector<int>{16, 17});
    CHECK(places[0].kind == distance::other_package);
    CHECK(place(test::two_sockets(), parse_placement("3:3"), 1)[0].kind == distance::oversubscribed);
    CHECK(place(test::two_sockets(), parse_placement("3:4"), 2)[0].kind == distance::oversubscribed);
}

TEST_CASE("A CPU that is not there is an error that names it") {
    CHECK_THROWS_WITH(place(test::small_virtual_machine(), parse_placement("0:7"), 1),
                      Catch::Contains("CPU 7"));
}

TEST_CASE("Placement text that means nothing is refused") {
    for (const char* text : {"", "0:", ":1", "0:1:2", "a:b", "0,:1", "-1:0", "nearby"})
        CHECK_THROWS_AS(parse_placement(text), std::invalid_argument);
}
