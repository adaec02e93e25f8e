// SPDX-License-Identifier: Apache-2.0
// The order of seq_cst events, part by part:
//     psc_base = ([Esc] ∪ [Fsc];hb?) ; scb ; ([Esc] ∪ hb?;[Fsc])
//     scb      = po ∪ (po|≠loc ; hb ; po|≠loc) ∪ hb|loc ∪ co ∪ fr
//     psc_F    = [Fsc] ; (hb ∪ hb;eco;hb) ; [Fsc]
// For each part a program in which it alone closes the cycle, and its neighbour in which nothing does.
#include <ringproof/verify/explore.hpp>

#include <atomic>
#include <catch2/catch.hpp>
#include <functional>
#include <string>
#include <thread>

using namespace ringproof::verify;

namespace {

constexpr auto relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire,
               release = std::memory_order_release, sc = std::memory_order_seq_cst;

std::atomic<int> x, y, z;
int seen[3];

template <class... Threads>
void in_parallel(Threads... threads) {
    x.store(0, relaxed), y.store(0, relaxed), z.store(0, relaxed);
    std::thread all[] = {std::thread(threads)...};
    for (std::thread& one : all) one.join();
}

/// Whether an execution has these values seen, and this last value of z.
bool may_see(const std::function<void()>& program, const std::string& values) {
    exploration_options options;
    options.state = [] {
        return std::to_string(seen[0]) + std::to_string(seen[1]) + std::to_string(seen[2]) + ' ' +
               std::to_string(z.load(relaxed));
    };
    const exploration_result r = explore(program, options);
    REQUIRE(r.error.message == "");
    REQUIRE_FALSE(r.stopped);
    REQUIRE(r.states.size() > 1);
    return r.states.count(values) != 0;
}

/// A seq_cst write of x is known, by y, to the thread that does not see z, while the writer of z does not see x.
void told_by(std::memory_order tells, std::memory_order listens) {
    in_parallel([=] { x.store(1, sc), y.store(1, tells); },
                [=] { seen[0] = y.load(listens), seen[1] = z.load(sc); },
                [] { z.store(1, sc), seen[2] = x.load(sc); });
}

/// The same, where x and y are one location.
void told_by_the_same_location() {
    in_parallel([] { x.store(1, sc), x.store(2, release); },
                [] { seen[0] = x.load(acquire), seen[1] = z.load(sc); },
                [] { z.store(1, sc), seen[2] = x.load(sc); });
}

/// The same, where the listener looks at the location by which it was told.
void told_by_what_is_looked_at() {
    in_parallel([] { x.store(1, sc), z.store(1, release); },
                [] { seen[0] = z.load(acquire), seen[1] = z.load(sc); },
                [] { z.store(2, sc), seen[2] = x.load(sc); });
}

} // namespace

TEST_CASE("what happens before by way of other locations is in the order of seq_cst events") {
    CHECK_FALSE(may_see([] { told_by(release, acquire); }, "100 1"));
    CHECK(may_see([] { told_by(relaxed, acquire); }, "100 1"));
    CHECK(may_see([] { told_by(release, relaxed); }, "100 1"));
}

TEST_CASE("what happens before by way of the same location is not") {
    CHECK(may_see(told_by_the_same_location, "200 1"));
    CHECK(may_see(told_by_what_is_looked_at, "110 2"));
}

TEST_CASE("what a seq_cst read has read from is before it") {
    const auto program = [](std::memory_order reads) {
        return [=] {
            in_parallel([] { x.store(1, sc); }, [=] { seen[0] = x.load(reads), seen[1] = z.load(sc); },
                        [] { z.store(1, sc), seen[2] = x.load(sc); });
        };
    };
    CHECK_FALSE(may_see(program(sc), "100 1"));
    CHECK(may_see(program(relaxed), "100 1"));
}

TEST_CASE("seq_cst fences are ordered by what others have read and overwritten between them") {
    const auto program = [](std::memory_order fences) {
        return [=] {
            in_parallel(
                [=] {
                    y.store(1, relaxed);
                    std::atomic_thread_fence(fences);
                    seen[0] = x.load(relaxed);
                },
                [=] {
                    seen[1] = x.load(relaxed);
                    std::atomic_thread_fence(fences);
                    seen[2] = y.load(relaxed);
                },
                [] { x.store(1, relaxed); });
        };
    };
    CHECK_FALSE(may_see(program(sc), "010 0"));
    CHECK(may_see(program(std::memory_order_acq_rel), "010 0"));
}

TEST_CASE("a seq_cst fence is before what its thread's successors do in other threads") {
    const auto program = [](std::memory_order fence) {
        return [=] {
            in_parallel(
                [=] {
                    x.store(1, relaxed);
                    std::atomic_thread_fence(fence);
                    y.store(1, release);
                },
                [] { seen[0] = y.load(acquire), seen[1] = z.load(relaxed); },
                [] { z.store(1, sc), seen[2] = x.load(sc); });
        };
    };
    CHECK_FALSE(may_see(program(sc), "100 1"));
    CHECK(may_see(program(std::memory_order_acq_rel), "100 1"));
}

TEST_CASE("a seq_cst fence is behind what happens before it in other threads") {
    const auto program = [](std::memory_order fence) {
        return [=] {
            in_parallel([] { x.store(1, relaxed), y.store(1, release); },
                        [=] {
                            seen[0] = y.load(acquire);
                            std::atomic_thread_fence(fence);
                            seen[1] = z.load(relaxed);
                        },
                        [] { z.store(1, sc), seen[2] = x.load(sc); });
        };
    };
    CHECK_FALSE(may_see(program(sc), "100 1"));
    CHECK(may_see(program(std::memory_order_acq_rel), "100 1"));
}

TEST_CASE("two seq_cst events are ordered like more") {
    // Two fences, and nothing else that is seq_cst.
    const auto program = [](std::memory_order other) {
        return [=] {
            in_parallel(
                [] {
                    x.store(1, relaxed);
                    std::atomic_thread_fence(sc);
                    seen[0] = y.load(relaxed);
                },
                [=] {
                    y.store(1, relaxed);
                    std::atomic_thread_fence(other);
                    seen[1] = x.load(relaxed);
                },
                [] { seen[2] = 0; });
        };
    };
    CHECK_FALSE(may_see(program(sc), "000 0"));
    CHECK(may_see(program(std::memory_order_acq_rel), "000 0"));
}
