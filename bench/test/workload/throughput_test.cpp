// SPDX-License-Identifier: Apache-2.0
#include "../../src/workload/throughput.hpp"

#include "../../peers/peers.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::bench;

namespace {

run_result run_broken(const std::string& mode, const std::string& workload) {
    catalogue all;
    add_broken_peer(all, mode);
    run_settings settings;
    settings.times = {seconds(0.005), seconds(0.05), seconds(0.3)};
    settings.priority = urgency::normal;
    const machine m = machine::detect();
    for (const entry& e : all)
        if (e.workload == workload) {
            run_result r;
            // Where others use the CPUs a run may see only a few items; the fault shows in the next one.
            for (int attempt = 0; attempt < 50 && r.error.empty() && r.stuck.empty(); ++attempt)
                r = e.run(place(m, {}, 1).front(), settings);
            return r;
        }
    throw std::logic_error("no such workload");
}

} // namespace

TEST_CASE("Arrivals of one producer in order are in order, a gap or a repetition is not") {
    arrival_check<true> good(1), gap(1), twice(1);
    for (std::uint64_t n : {0, 1, 2}) good(n);
    for (std::uint64_t n : {0, 2, 3}) gap(n);
    for (std::uint64_t n : {0, 1, 1}) twice(n);
    CHECK(good.in_order());
    CHECK(good.count() == 3);
    CHECK_FALSE(gap.in_order());
    CHECK_THAT(gap.complaint(), Catch::Contains("number 2"));
    CHECK_FALSE(twice.in_order());
}

TEST_CASE("Producers may interleave in any way, each in its own order") {
    arrival_check<false> good(2), bad(2), stranger(2);
    for (const auto tag : {make_tag(1, 0), make_tag(0, 0), make_tag(1, 1), make_tag(0, 1)}) good(tag);
    for (const auto tag : {make_tag(1, 0), make_tag(0, 0), make_tag(1, 2)}) bad(tag);
    stranger(make_tag(2, 0));
    CHECK(good.in_order());
    CHECK_FALSE(bad.in_order());
    CHECK_FALSE(stranger.in_order());
}

TEST_CASE("A queue that loses, doubles, reorders or damages an item is found out") {
    CHECK_THAT(run_broken("lose", "spsc/items:8/throughput").error, Catch::Contains("out of order"));
    CHECK_THAT(run_broken("twice", "spsc/items:8/throughput").error, Catch::Contains("out of order"));
    CHECK_THAT(run_broken("reorder", "spsc/items:8/throughput").error, Catch::Contains("out of order"));
    CHECK_FALSE(run_broken("damage", "spsc/items:8/throughput").error.empty());
    CHECK_FALSE(run_broken("damage", "spsc/items:8/ping-pong").error.empty());
}

TEST_CASE("A queue that stops delivering ends the run instead of hanging it") {
    CHECK_FALSE(run_broken("hang", "spsc/items:8/throughput").error.empty());
    CHECK_FALSE(run_broken("lose", "spsc/items:8/ping-pong").stuck.empty());
}
