// SPDX-License-Identifier: Apache-2.0
#include "../programs/scaling.hpp"

#include <ringproof/verify/explore.hpp>

#include <catch2/catch.hpp>

namespace verify = ringproof::verify;

namespace {

using body = void (*)();

verify::exploration_result in_parts(body program, verify::memory_model model, std::uint64_t each,
                                    unsigned& parts) {
    verify::exploration_result all;
    for (parts = 0;; ++parts) {
        verify::exploration_options options;
        options.model = model;
        options.limits.executions = each;
        if (parts > 0) options.resume = &all;
        const verify::exploration_result next = verify::explore(program, options);
        all = next;
        if (!all.stopped) return all;
        REQUIRE(parts < 10'000);
    }
}

} // namespace

TEST_CASE("a search in parts finds what the uninterrupted one finds, and no more") {
    const body program = GENERATE(body{programs::increments}, body{programs::threads_of_threads},
                                  body{programs::locks_and_waits});
    const verify::memory_model model = GENERATE(verify::memory_model::rc11, verify::memory_model::sc);
    verify::exploration_options options;
    options.model = model;
    const verify::exploration_result whole = verify::explore(program, options);
    REQUIRE(whole.error.kind == verify::failure_kind::nothing);
    for (const std::uint64_t each : {1u, 2u, 7u, 50u}) {
        unsigned parts = 0;
        const verify::exploration_result all = in_parts(program, model, each, parts);
        CAPTURE(each, parts);
        CHECK(all.error.kind == verify::failure_kind::nothing);
        CHECK(all.executions == whole.executions);
        CHECK(all.blocked == whole.blocked);
        CHECK(all.pruned == whole.pruned);
        CHECK(all.longest == whole.longest);
        CHECK(parts == whole.executions / each);
    }
}

TEST_CASE("a position of another program is refused") {
    verify::exploration_options options;
    options.limits.executions = 20;
    const verify::exploration_result other = verify::explore(programs::locks_and_waits, options);
    REQUIRE(other.stopped);
    options.resume = &other;
    CHECK(verify::explore([] { programs::x.store(1, std::memory_order_relaxed); }, options).error.kind ==
          verify::failure_kind::nondeterminism);
}

TEST_CASE("the fraction that is behind only grows, from nearly nothing to nearly all") {
    double last = 0, first = 1;
    unsigned times = 0;
    verify::exploration_options options;
    options.on_progress = [&](const verify::exploration_result& r) {
        if (times++ == 0) first = r.fraction;
        CHECK(r.fraction >= last);
        CHECK(r.fraction <= 1);
        last = r.fraction;
    };
    const auto seven = [] {
        std::thread threads[7];
        for (std::thread& t : threads)
            t = std::thread([] { programs::x.fetch_add(1, std::memory_order_relaxed); });
        for (std::thread& t : threads) t.join();
    };
    CHECK(verify::explore(seven, options).executions == 5040);
    REQUIRE(times > 5);
    CHECK(first < 0.3);
    CHECK(last > 0.6);
}
