// SPDX-License-Identifier: Apache-2.0
#include "../programs/scaling.hpp"
#include "../yardsticks/program.hpp"

#include <ringproof/verify/explore.hpp>
#include <ringproof/verify/interrupt.hpp>
#include <ringproof/verify/sampling.hpp>
#include <ringproof/verify/verifier.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <string_view>

namespace verify = ringproof::verify;

TEST_CASE("an estimate of what is soon done is exact") {
    const verify::estimate e = verify::estimate_executions(programs::increments);
    CHECK(e.exact);
    CHECK(e.executions == 720);
}

/// The mean of what 20 seeds estimate. The truth must lie within nearly all their bounds, which are meant for 95 %.
static double mean_estimate(void (*program)(), double truth, bool evenly) {
    double sum = 0;
    unsigned beyond = 0;
    constexpr unsigned seeds = 20;
    for (unsigned seed = 1; seed <= seeds; ++seed) {
        verify::estimation_options options;
        options.steps = 100'000;
        options.seed = seed;
        options.evenly = evenly;
        const verify::estimate e = verify::estimate_executions(program, options);
        CHECK_FALSE(e.exact);
        if (truth < e.low || truth > e.high) ++beyond;
        sum += e.executions;
    }
    CHECK(beyond <= 2);
    return sum / seeds;
}

TEST_CASE("estimates have the right mean, chosen evenly or by what was learned") {
    const bool evenly = GENERATE(false, true);
    CHECK(mean_estimate(programs::increments, 720, evenly) == Approx(720).epsilon(0.25));
}

TEST_CASE("estimates have the right mean where one write has many revisits") {
    const bool evenly = GENERATE(false, true);
    CHECK(mean_estimate(programs::readers, 256, evenly) == Approx(256).epsilon(0.1));
}

TEST_CASE("an estimate of walks that all tell the same is what they tell, however many there are") {
    for (unsigned steps = 100; steps < 2'000; steps += 20) {
        verify::estimation_options options;
        options.steps = steps;
        options.evenly = true;
        CAPTURE(steps);
        CHECK(verify::estimate_executions(programs::two_writes, options).executions == 2);
    }
}

TEST_CASE("an estimate of a program that chooses is right, whatever a walk chooses") {
    const auto adds_what_it_chose = [] {
        programs::x.store(0, std::memory_order_relaxed);
        int sum = 0;
        for (int i = 0; i < 3; ++i) sum += __VERIFIER_nondet_bool() ? 1 << i : 0;
        programs::x.fetch_add(sum, std::memory_order_relaxed);
        VERIFY_THAT(programs::x.load(std::memory_order_relaxed) == sum);
    };
    verify::estimation_options options;
    options.steps = 500;
    options.evenly = true;
    const verify::estimate e = verify::estimate_executions(adds_what_it_chose, options);
    CHECK(e.result.error.kind == verify::failure_kind::nothing);
    CHECK(e.executions == 8);
}

TEST_CASE("where nearly all walks end blocked an estimate does not know, and says where they end") {
    const auto programs = yardsticks::mpsc_programs();
    const auto queue = std::find_if(programs.begin(), programs.end(), [](const yardsticks::program& p) {
        return std::string_view(p.name) == "mpsc signed unmarked";
    });
    REQUIRE(queue != programs.end());
    for (unsigned seed = 1; seed <= 4; ++seed) {
        verify::estimation_options options;
        options.steps = 50'000;
        options.seed = seed;
        const verify::estimate e = verify::estimate_executions(
            [&] {
                queue->body({4, 1, 4});
            },
            options); // 3,048 executions
        CHECK_FALSE(e.known);
        CHECK(e.low <= 3048);
        CHECK(e.high > 1e9);
        CHECK(e.blocked > e.walks * 3 / 4);
        CHECK(e.blocked_at != 0);
    }
}

TEST_CASE("random executions are the same for the same seed") {
    const auto events = [](std::uint64_t seed) {
        return verify::explore_randomly(programs::locks_and_waits, 200, seed).events;
    };
    CHECK(events(1) == events(1));
    CHECK(events(1) != events(2));
}

TEST_CASE("each random execution is complete, of programs that wait, lock and create threads too") {
    const auto program =
        GENERATE(programs::increments, programs::threads_of_threads, programs::locks_and_waits);
    const verify::exploration_result r = verify::explore_randomly(program, 300, 7);
    CHECK(r.error.kind == verify::failure_kind::nothing);
    CHECK(r.walks == 300);
    CHECK(r.executions == 300);
}

TEST_CASE("random executions find an error, and its steps show it again") {
    const verify::exploration_result r = verify::explore_randomly(programs::rarely_wrong, 10'000, 1);
    REQUIRE(r.error.kind == verify::failure_kind::assertion);
    CHECK(verify::replay(programs::rarely_wrong, r.steps).error.kind == verify::failure_kind::assertion);
}

TEST_CASE("random executions let an access come in late among those of another thread") {
    const auto late = [] {
        programs::x.store(0, std::memory_order_relaxed);
        std::thread writer([] {
            for (int i = 1; i <= 20; ++i) programs::x.store(i, std::memory_order_relaxed);
        });
        std::thread reader([] { VERIFY_THAT(programs::x.load(std::memory_order_relaxed) != 15); });
        writer.join();
        reader.join();
    };
    verify::exploration_options sc; // so that the load is of the latest store
    sc.model = verify::memory_model::sc;
    // One in 16 * 17; by a coin at each access one in 2^16.
    for (std::uint64_t seed = 1; seed <= 5; ++seed)
        CHECK(verify::explore_randomly(late, 3'000, seed, sc).error.kind == verify::failure_kind::assertion);
}

namespace {

constexpr int stores = 30;
std::atomic<int> stored, came_at;

/// A handler that may come in before each of 30 stores, or behind them.
template <class Handler>
void store_often(Handler handler) {
    stored.store(0, std::memory_order_relaxed);
    const verify::interrupt irq(handler);
    for (int i = 1; i <= stores; ++i) stored.store(i, std::memory_order_relaxed);
}

} // namespace

TEST_CASE("random executions let a handler come in before the 20th of 30 stores in a few hundred") {
    const auto wrong_before_the_20th = [] {
        store_often([] { VERIFY_THAT(stored.load(std::memory_order_relaxed) != 19); });
    };
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const verify::exploration_result r = verify::explore_randomly(wrong_before_the_20th, 400, seed);
        CHECK(r.error.kind == verify::failure_kind::assertion);
        CHECK(verify::replay(wrong_before_the_20th, r.steps).error.kind == verify::failure_kind::assertion);
    }
}

TEST_CASE("random executions let a handler come in at each place about as often") {
    std::array<unsigned, stores + 2> came{}; // before a store, behind the last, not at all
    verify::exploration_options options;
    options.on_complete = [&] { ++came[static_cast<std::size_t>(came_at.load())]; };
    constexpr unsigned each = 100, executions = each * came.size();
    const auto program = [] {
        came_at.store(stores + 1, std::memory_order_relaxed);
        store_often([] { came_at.store(stored.load(std::memory_order_relaxed), std::memory_order_relaxed); });
    };
    CHECK(verify::explore_randomly(program, executions, 1, options).executions == executions);
    CHECK(*std::min_element(came.begin(), came.end()) > each / 2);
    CHECK(*std::max_element(came.begin(), came.end()) < each * 2);
}

TEST_CASE("random executions let two handlers of a thread come in far from each other") {
    const auto wrong_at_both = [] {
        static std::atomic<int> first_at;
        first_at.store(0, std::memory_order_relaxed);
        const verify::interrupt early(
            [] { first_at.store(stored.load(std::memory_order_relaxed), std::memory_order_relaxed); });
        store_often([] {
            VERIFY_THAT(stored.load(std::memory_order_relaxed) < 19 ||
                        first_at.load(std::memory_order_relaxed) != 9);
        });
    };
    CHECK(verify::explore_randomly(wrong_at_both, 2000, 1).error.kind == verify::failure_kind::assertion);
}

TEST_CASE("steps of which a read is from a write of another location fit no program") {
    const auto message = [] {
        std::thread writer([] {
            programs::x.store(1, std::memory_order_relaxed);
            programs::y.store(1, std::memory_order_relaxed);
        });
        VERIFY_THAT(programs::y.load(std::memory_order_relaxed) == 0);
        writer.join();
    };
    verify::exploration_result r = verify::explore(message);
    REQUIRE(r.error.kind == verify::failure_kind::assertion);
    CHECK(verify::replay(message, r.steps).error.kind == verify::failure_kind::assertion);
    unsigned changed = 0;
    for (verify::step& s : r.steps)
        if (s.rf_thread == 1 && s.rf_index > 1) --s.rf_index, ++changed; // from the store of x
    REQUIRE(changed == 1);
    CHECK(verify::replay(message, r.steps).error.kind == verify::failure_kind::nondeterminism);
}
