// SPDX-License-Identifier: Apache-2.0
// What drains a store buffer under TSO, and what does not.
#include <ringproof/verify/explore.hpp>

#include <atomic>
#include <catch2/catch.hpp>
#include <functional>
#include <string>
#include <thread>

using namespace ringproof::verify;

namespace {

constexpr auto relaxed = std::memory_order_relaxed;

std::atomic<int> x, y;
int seen[2];

/// Whether two threads that each store and then look may both miss the other's store.
bool both_miss(const std::function<int(std::atomic<int>&)>& looks, std::memory_order stores = relaxed) {
    exploration_options options;
    options.model = memory_model::tso;
    options.state = [] { return std::to_string(seen[0]) + std::to_string(seen[1]); };
    const exploration_result r = explore(
        [&] {
            x.store(0, relaxed), y.store(0, relaxed);
            std::thread one([&] { x.store(1, stores), seen[0] = looks(y); });
            std::thread other([&] { y.store(1, stores), seen[1] = looks(x); });
            one.join();
            other.join();
        },
        options);
    REQUIRE(r.error.message == "");
    REQUIRE(r.states.count("11") != 0);
    return r.states.count("00") != 0;
}

// Only a compiler that does not know it makes a locked instruction of adding it.
volatile int not_known = 0;
const int nothing = not_known;

} // namespace

TEST_CASE("a store is delayed past a load, whatever the load's order") {
    CHECK(both_miss([](std::atomic<int>& one) { return one.load(relaxed); }));
    CHECK(both_miss([](std::atomic<int>& one) { return one.load(std::memory_order_seq_cst); }));
}

TEST_CASE("a store is not delayed past a locked instruction, be it one that fails") {
    CHECK_FALSE(both_miss([](std::atomic<int>& one) { return one.fetch_add(nothing, relaxed); }));
    CHECK_FALSE(both_miss([](std::atomic<int>& one) {
        int expected = 5;
        one.compare_exchange_strong(expected, 6, relaxed);
        return expected;
    }));
}

TEST_CASE("a seq_cst store or fence drains the buffer, and weaker ones do not") {
    const auto looks = [](std::atomic<int>& one) { return one.load(relaxed); };
    CHECK_FALSE(both_miss(looks, std::memory_order_seq_cst));
    CHECK(both_miss(looks, std::memory_order_release));
    CHECK_FALSE(both_miss([](std::atomic<int>& one) {
        std::atomic_thread_fence(std::memory_order_seq_cst);
        return one.load(relaxed);
    }));
    CHECK(both_miss([](std::atomic<int>& one) {
        std::atomic_thread_fence(std::memory_order_acq_rel);
        return one.load(relaxed);
    }));
}
