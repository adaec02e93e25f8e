// SPDX-License-Identifier: Apache-2.0
#include "../../src/harness/plan.hpp"

#include "../topology/machines.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::bench;

namespace {

catalogue two_peers_two_workloads() {
    catalogue all;
    for (const char* peer : {"ringproof", "other"})
        for (const char* workload : {"spsc/items:8/throughput", "spsc/items:8/ping-pong"}) {
            entry e;
            e.workload = workload;
            e.peer = peer;
            all.push_back(e);
        }
    return all;
}

std::vector<std::string> names(const std::vector<subject>& list) {
    std::vector<std::string> result;
    for (const subject& s : list) result.push_back(s.name());
    return result;
}

} // namespace

TEST_CASE("Peers of a workload are neighbours, whatever the order of the catalogue") {
    const auto all = two_peers_two_workloads();
    CHECK(names(subjects(all, test::small_virtual_machine(), {})) ==
          std::vector<std::string>{
              "spsc/items:8/throughput/same-l3/ringproof", "spsc/items:8/throughput/same-l3/other",
              "spsc/items:8/ping-pong/same-l3/ringproof", "spsc/items:8/ping-pong/same-l3/other"});
}

TEST_CASE("Any of several filters selects, by a part of the name") {
    options o;
    o.filters = {std::regex("ping-pong/.*/other$"), std::regex("throughput/.*/ringproof")};
    CHECK(subjects(two_peers_two_workloads(), test::small_virtual_machine(), o).size() == 2);
    o.filters = {std::regex("nothing is named so")};
    CHECK(subjects(two_peers_two_workloads(), test::small_virtual_machine(), o).empty());
}

TEST_CASE("Each kind of run has its workloads, and a filter reaches all") {
    auto all = two_peers_two_workloads();
    all[0].from = tier::quick;
    all[1].from = tier::full;
    options quick, usual, full, named;
    quick.quick = true;
    full.full = true;
    named.filters = {std::regex("ping-pong")};
    const auto count = [&](const options& o) {
        return subjects(all, test::small_virtual_machine(), o).size();
    };
    CHECK(count(quick) == 1);
    CHECK(count(usual) == 3);
    CHECK(count(full) == 4);
    CHECK(count(named) == 2);
}

TEST_CASE("A quick run takes one placement, not the two threads of one core") {
    options o;
    auto all = two_peers_two_workloads();
    for (entry& e : all) e.from = tier::quick;
    CHECK(subjects(all, test::two_sockets(), o).size() == 20);
    o.quick = true;
    const auto few = subjects(all, test::two_sockets(), o);
    CHECK(few.size() == 4);
    CHECK(few[0].where.kind == distance::same_l2);
}

TEST_CASE("Repetitions are the outer loop: A B C A B C") {
    const auto steps = interleave(3, 2);
    REQUIRE(steps.size() == 6);
    for (std::size_t i = 0; i < 6; ++i) {
        CHECK(steps[i].subject == i % 3);
        CHECK(steps[i].repetition == static_cast<int>(i / 3));
    }
}

TEST_CASE("Repetitions fit the time, are odd, and at least three") {
    CHECK(affordable_repetitions(1, 0.001, 1000) == 15);
    CHECK(affordable_repetitions(1000, 10, 1) == 3);
    const int n = affordable_repetitions(40, 0.05, 20);
    CHECK(n % 2 == 1);
    CHECK(n * 40 * seconds_per_step(0.05) <= 20);
}
