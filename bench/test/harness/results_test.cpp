// SPDX-License-Identifier: Apache-2.0
#include "../../src/harness/results.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::bench;

namespace {

/// One workload, ours and one other, and the stream limit.
struct fixture {
    catalogue all;
    std::vector<subject> subjects;
    std::vector<observation> seen;

    fixture() {
        all.resize(3);
        all[0].workload = "limit/stream/16KiB";
        all[0].bytes = 16384;
        for (std::size_t i : {1, 2}) {
            all[i].workload = "spsc/items:8/throughput";
            all[i].peer = i == 1 ? ours : "other";
            all[i].bytes = 8;
            all[i].limit = limit_kind::stream;
        }
        for (const entry& e : all) subjects.push_back({&e, {distance::same_l3, {1}, 0}});
    }
    void saw(std::size_t subject, int repetition, double ns, double rtt, bool steady = true) {
        observation o{subject, repetition, {}};
        o.m.result.operations = 1000;
        o.m.result.seconds = ns * 1e-6;
        o.m.probes = {rtt, rtt};
        o.m.steady = steady;
        seen.push_back(o);
    }
};

} // namespace

TEST_CASE("A ratio compares neighbours of the same repetition, our speed by the peer's") {
    fixture f;
    for (int r = 0; r < 3; ++r) {
        f.saw(1, r, 2 + r, 90);
        f.saw(2, r, 4 + 2 * r, 90);
    }
    const auto rows = tabulate(f.subjects, f.seen);
    REQUIRE(rows.size() == 2);
    CHECK_FALSE(rows[0].ratio.has_value());
    REQUIRE(rows[1].ratio.has_value());
    CHECK(rows[1].ratio->min == Approx(2)); // ours takes half the time
    CHECK(rows[1].ratio->max == Approx(2));
    CHECK(rows[1].ratio->n == 3);
    CHECK(rows[1].ns.median == Approx(6));
}

TEST_CASE("A further queue of ours is no peer") {
    fixture f;
    f.all[2].peer = "ringproof_batches";
    f.saw(1, 0, 2, 90);
    f.saw(2, 0, 4, 90);
    CHECK_FALSE(tabulate(f.subjects, f.seen)[1].ratio.has_value());
}

TEST_CASE("Where our policies are compared, each has its ratio to the default") {
    fixture f;
    f.all[1].workload = f.all[2].workload = "policy/producers/throughput";
    f.all[2].peer = "ringproof_shared";
    f.saw(1, 0, 2, 90);
    f.saw(2, 0, 4, 90);
    REQUIRE(tabulate(f.subjects, f.seen)[1].ratio.has_value());
    CHECK(tabulate(f.subjects, f.seen)[1].ratio->median == Approx(2));
}

TEST_CASE("Near and far are rows of their own, and no ratio crosses them") {
    fixture f;
    f.saw(1, 0, 2, 90);
    f.saw(2, 0, 20, 430);
    f.saw(1, 1, 10, 430);
    f.saw(2, 1, 20, 430);
    const auto rows = tabulate(f.subjects, f.seen);
    REQUIRE(rows.size() == 3);
    CHECK(rows[0].state == regime::near);
    CHECK(rows[1].state == regime::far);
    REQUIRE(rows[2].ratio.has_value());
    CHECK(rows[2].ratio->n == 1);
    CHECK(rows[2].ratio->median == Approx(2));
}

TEST_CASE("Unsteady repetitions enter neither medians nor ratios as long as there are steady ones") {
    fixture f;
    f.saw(1, 0, 2, 90);
    f.saw(2, 0, 400, 90, false);
    f.saw(1, 1, 2, 90);
    f.saw(2, 1, 4, 90);
    const auto rows = tabulate(f.subjects, f.seen);
    CHECK(rows[1].ns.max == Approx(4));
    CHECK(rows[1].unsteady == 1);
    CHECK(rows[1].ratio->n == 1);
}

TEST_CASE("With nothing but unsteady repetitions there are times, but no ratio") {
    fixture f;
    f.saw(1, 0, 2, 90, false);
    f.saw(2, 0, 4, 90, false);
    const auto rows = tabulate(f.subjects, f.seen);
    REQUIRE(rows.size() == 2);
    CHECK(rows[1].ns.n == 1);
    CHECK(rows[1].unsteady == 1);
    CHECK_FALSE(rows[1].ratio.has_value());
}

TEST_CASE("Of two streams the faster one is the limit") {
    fixture f;
    f.all[2].workload = "limit/stream/16KiB/touched";
    f.all[2].peer.clear();
    f.all[2].bytes = 16384;
    f.saw(0, 0, 16384 * 0.1, 90);
    f.saw(2, 0, 16384 * 0.05, 90);
    f.saw(1, 0, 8, 90);
    CHECK(tabulate(f.subjects, f.seen)[1].of_limit.value() == Approx(0.05));
}

TEST_CASE("The fraction of the limit is bytes by bytes, from the same regime") {
    fixture f;
    f.saw(0, 0, 16384 * 0.1, 90); // 0.1 ns a byte
    f.saw(1, 0, 8, 90);           // 1 ns a byte
    f.saw(2, 0, 8, 430);
    const auto rows = tabulate(f.subjects, f.seen);
    REQUIRE(rows.size() == 3);
    CHECK_FALSE(rows[0].of_limit.has_value());
    CHECK(rows[1].of_limit.value() == Approx(0.1));
    CHECK_FALSE(rows[2].of_limit.has_value());
}

TEST_CASE("The curve of a tail ends where ten samples lie beyond, and with the longest") {
    histogram latency;
    CHECK(tail_curve(latency).empty());
    for (std::uint64_t ns = 1; ns <= 1000; ++ns) latency.add(ns);
    const auto curve = tail_curve(latency);
    REQUIRE(curve.size() > 10);
    CHECK(curve.front().first == 0.5);
    CHECK(curve.front().second == Approx(500).epsilon(0.01));
    for (std::size_t i = 1; i < curve.size(); ++i) {
        CHECK(curve[i].first < curve[i - 1].first);
        CHECK(curve[i].second >= curve[i - 1].second);
    }
    CHECK(curve[curve.size() - 2].first >= 0.01);
    CHECK(curve.back() == std::pair<double, double>(0.001, 1000));
}

TEST_CASE("A time of nothing has no ratio and no share of the limit: both would be infinite") {
    fixture f;
    f.saw(0, 0, 100, 90);
    f.saw(1, 0, 2, 90);
    f.saw(2, 0, 0, 90);
    for (const row& r : tabulate(f.subjects, f.seen)) {
        if (r.subject != 2) continue;
        CHECK_FALSE(r.ratio.has_value());
        CHECK_FALSE(r.of_limit.has_value());
    }
}

TEST_CASE(
    "A run of which more than half is disturbed is not fit for its purpose, and says so with its figures") {
    fixture f;
    for (int r = 0; r < 10; ++r) f.saw(1, r, 2, 90, r < 5);
    fitness how = fitness_of(f.seen);
    CHECK(how.fit());
    CHECK(how.unsteady == 5);
    f.saw(2, 0, 2, 90, false);
    how = fitness_of(f.seen);
    CHECK_FALSE(how.fit());
    CHECK(how.taken == 11);
    CHECK(how.text() ==
          "6 of 11 measurements were disturbed, although repeated: the machine was not left alone");
}

TEST_CASE("What never got to run counts as disturbed, and what cannot be measured here does not count") {
    fixture f;
    f.saw(1, 0, 2, 90);
    for (int r = 0; r < 3; ++r) {
        observation refused{2, r, {}};
        refused.m.result.skipped = "not here";
        refused.m.steady = false;
        f.seen.push_back(refused);
    }
    CHECK(fitness_of(f.seen).taken == 1);
    CHECK(fitness_of(f.seen).fit());
    for (int r = 0; r < 2; ++r) f.seen.push_back({2, 3 + r, {}});
    CHECK(fitness_of(f.seen).not_measured == 2);
    CHECK_FALSE(fitness_of(f.seen).fit());
    CHECK(fitness_of({}).fit());
}
