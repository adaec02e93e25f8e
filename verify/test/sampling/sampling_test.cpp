// SPDX-License-Identifier: Apache-2.0
#include "../programs/scaling.hpp"
#include "../yardsticks/program.hpp"

#include <ringproof/verify/sampling.hpp>

#include <algorithm>
#include <catch2/catch.hpp>
#include <string_view>

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

TEST_CASE("an estimate of walks that all tell the same is what they tell, however many there are") {
    for (unsigned steps = 100; steps < 2'000; steps += 20) {
        verify::estimation_options options;
        options.steps = steps;
        options.evenly = true;
        CAPTURE(steps);
        CHECK(verify::estimate_executions(programs::two_writes, options).executions == 2);
    }
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

namespace {

constexpr int many = 20, few = 5;
std::atomic<int> cells[many];

unsigned look() {
    unsigned seen = 0;
    for (int i = many; i-- > 0;) seen |= static_cast<unsigned>(cells[i].load(std::memory_order_acquire)) << i;
    return seen;
}

template <class Reader>
void beside_a_writer(Reader read) {
    std::thread writer([] {
        for (std::atomic<int>& c : cells) c.store(1, std::memory_order_release);
    });
    std::thread reader(read);
    writer.join();
    reader.join();
}

/// Wrong only if the reader starts when the first few cells are written and no other is: depth 2.
void preempted_once() {
    beside_a_writer([] { VERIFY_THAT(look() != (1u << few) - 1); });
}

/// Wrong only if, after that, the writer goes on before the reader does: depth 3.
void preempted_twice() {
    beside_a_writer([] {
        const unsigned first = look();
        VERIFY_THAT(first != (1u << few) - 1 || look() != (1u << many) - 1);
    });
}

/// Of ten seeds, how many find the error within so many executions.
template <class Run>
unsigned found(Run run) {
    unsigned n = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed)
        n += run(seed).error.kind == verify::failure_kind::assertion;
    return n;
}

} // namespace

TEST_CASE("the scheduler by priorities meets bugs of depth 2 and 3 more often than even choices do") {
    const auto [body, depth, executions] = GENERATE(
        table<void (*)(), unsigned, unsigned>({{preempted_once, 2u, 200u}, {preempted_twice, 3u, 6000u}}));
    verify::exploration_options sc;
    sc.model = verify::memory_model::sc;
    const unsigned by_priorities = found([&, body = body, depth = depth, n = executions](std::uint64_t seed) {
        return verify::explore_by_priorities(body, n, depth, seed, sc);
    });
    const unsigned evenly = found([&, body = body, n = executions](std::uint64_t seed) {
        return verify::explore_randomly(body, n, seed, sc);
    });
    CAPTURE(depth, by_priorities, evenly);
    CHECK(by_priorities >= 5);
    CHECK(by_priorities > 2 * evenly);
}

TEST_CASE("the scheduler by priorities lets reads see old values, and its errors are seen again") {
    const auto store_buffering = [] {
        programs::x.store(0, std::memory_order_relaxed);
        int a = 0, b = 0;
        std::thread first([&] {
            programs::x.store(1, std::memory_order_relaxed);
            a = programs::y.load(std::memory_order_relaxed);
        });
        std::thread second([&] {
            programs::y.store(1, std::memory_order_relaxed);
            b = programs::x.load(std::memory_order_relaxed);
        });
        first.join();
        second.join();
        VERIFY_THAT(a + b > 0);
    };
    const verify::exploration_result r = verify::explore_by_priorities(store_buffering, 1000, 2, 1);
    REQUIRE(r.error.kind == verify::failure_kind::assertion);
    CHECK(verify::replay(store_buffering, r.steps).error.kind == verify::failure_kind::assertion);
    verify::exploration_options sc;
    sc.model = verify::memory_model::sc;
    CHECK(verify::explore_by_priorities(store_buffering, 1000, 2, 1, sc).error.kind ==
          verify::failure_kind::nothing);
}

TEST_CASE("scheduled executions of programs that wait, lock and create threads end, and repeat for a seed") {
    const auto program =
        GENERATE(programs::increments, programs::threads_of_threads, programs::locks_and_waits);
    const auto run = [&](std::uint64_t seed) { return verify::explore_by_priorities(program, 300, 3, seed); };
    const verify::exploration_result r = run(1);
    CHECK(r.error.kind == verify::failure_kind::nothing);
    CHECK(r.walks == 300);
    CHECK(r.executions == 300);
    CHECK(r.events == run(1).events);
}

TEST_CASE("the scheduler by priorities finds a deadlock, and a wait that no one ends") {
    const auto two_orders = [] {
        static std::mutex a, b;
        std::thread other([] {
            const std::lock_guard first(a);
            const std::lock_guard second(b);
        });
        {
            const std::lock_guard first(b);
            const std::lock_guard second(a);
        }
        other.join();
    };
    CHECK(verify::explore_by_priorities(two_orders, 1000, 2, 1).error.kind == verify::failure_kind::deadlock);
    const auto for_ever = [] {
        while (programs::x.load(std::memory_order_relaxed) == 0) std::this_thread::yield();
    };
    CHECK(verify::explore_by_priorities(for_ever, 5, 2, 1).error.kind == verify::failure_kind::livelock);
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
