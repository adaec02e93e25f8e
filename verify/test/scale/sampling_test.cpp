// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

#include <ringproof/verify/sampling.hpp>

#include <catch2/catch.hpp>

namespace verify = ringproof::verify;

TEST_CASE("an estimate of what is soon done is exact") {
    const verify::estimate e = verify::estimate_executions(programs::increments);
    CHECK(e.exact);
    CHECK(e.executions == 720);
}

TEST_CASE("estimates have the right mean, chosen evenly or by what was learned") {
    const bool evenly = GENERATE(false, true);
    double sum = 0;
    constexpr unsigned seeds = 20;
    for (unsigned seed = 1; seed <= seeds; ++seed) {
        verify::estimation_options options;
        options.steps = 100'000;
        options.seed = seed;
        options.evenly = evenly;
        const verify::estimate e = verify::estimate_executions(programs::increments, options);
        CHECK_FALSE(e.exact);
        CHECK(e.low <= e.executions);
        CHECK(e.executions <= e.high);
        sum += e.executions;
    }
    CHECK(sum / seeds == Approx(720).epsilon(0.25));
}

TEST_CASE("random executions are the same for the same seed") {
    const auto events = [](std::uint64_t seed) {
        return verify::explore_randomly(programs::locks_and_waits, 200, seed).events;
    };
    CHECK(events(1) == events(1));
    CHECK(events(1) != events(2));
}

TEST_CASE("as many random executions are run as were asked for, blocked and cut ones among them") {
    const verify::exploration_result r = verify::explore_randomly(programs::increments, 300, 7);
    CHECK(r.walks == 300);
    CHECK(r.executions > 0);
    CHECK(r.executions + r.blocked <= 300);
}

TEST_CASE("random executions find an error, and its steps show it again") {
    const verify::exploration_result r = verify::explore_randomly(programs::rarely_wrong, 10'000, 1);
    REQUIRE(r.error.kind == verify::failure_kind::assertion);
    CHECK(verify::replay(programs::rarely_wrong, r.steps).error.kind == verify::failure_kind::assertion);
}
