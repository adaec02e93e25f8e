// SPDX-License-Identifier: Apache-2.0
#include "../programs/scaling.hpp"

#include <ringproof/verify/sampling.hpp>

#include <catch2/catch.hpp>

namespace verify = ringproof::verify;

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

TEST_CASE("scheduled executions meet bugs of depth 2 and 3, by priorities of threads and of accesses") {
    const auto [body, depth, executions] = GENERATE(
        table<void (*)(), unsigned, unsigned>({{preempted_once, 2u, 200u}, {preempted_twice, 3u, 6000u}}));
    verify::exploration_options sc;
    sc.model = verify::memory_model::sc;
    const unsigned by_priorities = found([&, body = body, depth = depth, n = executions](std::uint64_t seed) {
        return verify::explore_by_priorities(body, n, depth, seed, sc);
    });
    // A coin at each access met neither.
    const unsigned randomly = found([&, body = body, n = executions](std::uint64_t seed) {
        return verify::explore_randomly(body, n, seed, sc);
    });
    CAPTURE(depth, by_priorities, randomly);
    CHECK(by_priorities >= 5);
    CHECK(randomly >= 5);
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
