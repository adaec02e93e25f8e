// SPDX-License-Identifier: Apache-2.0
#include "hardware/topology.hpp"

#include <catch2/catch.hpp>
#include <sched.h>
#include <set>
#include <thread>

using namespace ringproof::litmus;

TEST_CASE("affinities have the names that the command line takes") {
    for (const affinity a :
         {affinity::none, affinity::incr, affinity::siblings, affinity::l3, affinity::package})
        CHECK(affinity_from(to_string(a)) == a);
    CHECK_FALSE(affinity_from("nonsense"));
}

TEST_CASE("chosen CPUs differ from each other, are usable, and are no more than wanted") {
    for (const affinity a : {affinity::incr, affinity::siblings, affinity::l3, affinity::package})
        for (const std::size_t wanted : {1u, 2u, 64u}) {
            const std::vector<unsigned> cpus = choose_cpus(a, wanted);
            CHECK(cpus.size() <= wanted);
            CHECK(cpus.size() <= usable_cpus());
            CHECK(std::set<unsigned>(cpus.begin(), cpus.end()).size() == cpus.size());
        }
    CHECK(choose_cpus(affinity::none, 4).empty());
    CHECK_FALSE(choose_cpus(affinity::incr, 4).empty());
}

TEST_CASE("a pinned thread runs where it was pinned") {
    const std::vector<unsigned> cpus = choose_cpus(affinity::incr, 2);
    REQUIRE_FALSE(cpus.empty());
    std::thread([&] {
        REQUIRE(pin_to(cpus.back()));
        CHECK(sched_getcpu() == static_cast<int>(cpus.back()));
    }).join();
}
