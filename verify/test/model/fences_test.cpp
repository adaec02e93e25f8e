// SPDX-License-Identifier: Apache-2.0
// Fences that make relaxed accesses release and acquire: both are needed, and each has to be of its kind.
#include <ringproof/verify/explore.hpp>

#include <atomic>
#include <catch2/catch.hpp>
#include <string>
#include <thread>

using namespace ringproof::verify;

int seen_behind_fences; // any other file could read it: else a compiler leaves the read of data out

namespace {

constexpr auto relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire,
               release = std::memory_order_release;

std::atomic<int> flag;
int data;

/// A message is passed by these orders; `relaxed` for a fence is none.
void pass(std::memory_order before, std::memory_order store, std::memory_order load,
          std::memory_order behind) {
    flag.store(0, relaxed);
    data = 0;
    std::thread writer([=] {
        data = 1;
        if (before != relaxed) std::atomic_thread_fence(before);
        flag.store(1, store);
    });
    std::thread reader([=] {
        const bool told = flag.load(load) == 1;
        if (behind != relaxed) std::atomic_thread_fence(behind);
        if (told) seen_behind_fences = data;
    });
    writer.join();
    reader.join();
}

bool races(std::memory_order before, std::memory_order store, std::memory_order load,
           std::memory_order behind) {
    const exploration_result r = explore([=] { pass(before, store, load, behind); });
    REQUIRE((r.error.kind == failure_kind::nothing || r.error.kind == failure_kind::data_race));
    return r.error.kind == failure_kind::data_race;
}

} // namespace

TEST_CASE("a release fence makes a relaxed store behind it publish, and no other fence does") {
    CHECK_FALSE(races(relaxed, release, acquire, relaxed));
    CHECK_FALSE(races(release, relaxed, acquire, relaxed));
    CHECK_FALSE(races(std::memory_order_acq_rel, relaxed, acquire, relaxed));
    CHECK_FALSE(races(std::memory_order_seq_cst, relaxed, acquire, relaxed));
    CHECK(races(relaxed, relaxed, acquire, relaxed));
    CHECK(races(acquire, relaxed, acquire, relaxed));
}

TEST_CASE("an acquire fence makes a relaxed load before it learn, and no other fence does") {
    CHECK_FALSE(races(relaxed, release, relaxed, acquire));
    CHECK_FALSE(races(release, relaxed, relaxed, acquire));
    CHECK_FALSE(races(relaxed, release, relaxed, std::memory_order_seq_cst));
    CHECK(races(relaxed, release, relaxed, relaxed));
    CHECK(races(relaxed, release, relaxed, release));
}

TEST_CASE("what a release fence publishes is what was done before it") {
    const exploration_result r = explore([] {
        flag.store(0, relaxed);
        std::thread writer([] {
            std::atomic_thread_fence(release);
            data = 1;
            flag.store(1, relaxed);
        });
        std::thread reader([] {
            if (flag.load(acquire) == 1) seen_behind_fences = data;
        });
        writer.join();
        reader.join();
    });
    CHECK(r.error.kind == failure_kind::data_race);
}
