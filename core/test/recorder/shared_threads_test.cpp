// SPDX-License-Identifier: Apache-2.0
// Many real threads on one recorder; bounded by numbers of records and snapshots, not by time.
#include "ringproof/recorder.hpp"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <csignal>
#include <pthread.h>
#include <thread>
#include <vector>

#include "../stepping_barriers.hpp"
#include "numbered_record.hpp"

using namespace ringproof;

namespace {

constexpr std::uint64_t near_the_wrap = 0 - std::uint64_t{4096};

using ring_type = recorder<shared>;

ring_type* signalled_ring = nullptr;
ring_type::own_writer* signalled_writer = nullptr;
std::atomic<std::uint64_t> handled{0};

void handler(int) {
    const std::uint64_t number = handled.load(std::memory_order_relaxed);
    const numbered_record one(2, number);
    if (number % 2 == 0 ? signalled_writer->write(one.bytes()) : signalled_ring->write(one.bytes()))
        handled.store(number + 1, std::memory_order_relaxed);
}

} // namespace

TEST_CASE("snapshots while many threads share a recorder have whole records only, each writer's in order") {
    const std::size_t capacity =
        GENERATE(64u, 1024u, 4096u); // in the smallest, everybody is in everybody's way
    constexpr unsigned writers = 4;
    constexpr std::uint64_t each = 4000;
    ring_type ring(capacity, near_the_wrap, writers + 1);
    std::atomic<unsigned> running{writers};
    std::atomic<std::uint64_t> written{0};
    std::vector<std::thread> threads;
    for (unsigned who = 0; who != writers; ++who)
        threads.emplace_back([&, who] {
            auto mine = ring.writer();
            std::uint64_t accepted = 0;
            for (std::uint64_t i = 0; i != each; ++i) {
                const numbered_record one(who, capacity == 64 ? 32 * i : i);
                accepted += who == 0 && i % 2 == 0 ? ring.write(one.bytes()) : mine.write(one.bytes());
                if (i % 64 == 0) std::this_thread::yield();
            }
            written += accepted;
            --running;
        });
    std::uint64_t wrong = 0;
    snapshot seen;
    while (running != 0) {
        ring.take_into(seen);
        const seen_records now(seen);
        wrong += !now.whole || (!now.without_gap && capacity != 64);
    }
    for (auto& one : threads) one.join();
    CHECK(wrong == 0);
    CHECK(written + ring.lost() == writers * each);
    // Everybody is done: pages that somebody had been stopped in come back into use.
    auto mine = ring.writer();
    for (std::uint64_t i = 0; i != 400; ++i)
        REQUIRE(mine.write(numbered_record(9, capacity == 64 ? 32 * i : i).bytes()));
    ring.take_into(seen);
    const seen_records last(seen);
    CHECK(last.whole);
    CHECK(last.records.size() >= 2);
    CHECK(last.records[0] == seen_record{9, capacity == 64 ? 32 * 399u : 399u});
    CHECK((last.without_gap || capacity == 64));
}

TEST_CASE("a thread that is stopped in the middle of a record holds up nobody") {
    // It is stopped by a signal that it gets while it writes; whether in the middle of a record is left to chance, and
    // right either way. Every place is tried in turn by "wherever a writer is stopped, …".
    static std::atomic<bool> stopped, go_on;
    stopped = go_on = false;
    struct sigaction action {};
    action.sa_handler = [](int) {
        stopped = true;
        while (!go_on) std::this_thread::yield();
    };
    struct sigaction before {};
    REQUIRE(::sigaction(SIGUSR1, &action, &before) == 0);
    ring_type ring(1024, near_the_wrap);
    std::atomic<bool> started{false}, enough{false};
    std::thread victim([&] {
        auto mine = ring.writer();
        for (std::uint64_t i = 0; !enough; ++i) {
            mine.write(numbered_record(1, i).bytes());
            started = true;
        }
    });
    while (!started) std::this_thread::yield();
    ::pthread_kill(victim.native_handle(), SIGUSR1);
    while (!stopped) std::this_thread::yield();
    auto mine = ring.writer();
    for (std::uint64_t i = 0; i != 1000; ++i) {
        REQUIRE(mine.write(numbered_record(0, i).bytes()));
        const auto seen = ring.take();
        const seen_records now(seen);
        REQUIRE(now.whole);
        // What shares the newest page with the stopped one, behind it, comes with the next page.
        if (i > 8) REQUIRE(now.records.at(0).number + 8 > i);
    }
    go_on = enough = true;
    victim.join();
    CHECK(ring.lost() == 0);
    CHECK(seen_records(ring.take()).whole);
    ::sigaction(SIGUSR1, &before, nullptr);
}

TEST_CASE(
    "a writer that finds another in every page where it looks, always the same one, has only been slow") {
    // Four pages of a stamp and three records of 8 bytes. One writer looks for a page; whenever it has got to the next
    // one, the other one has too, and is at its second record there.
    recorder<shared, paged, stepping_barriers> ring(128, 0 - std::uint64_t{32}, 2);
    auto slow = ring.writer(), fast = ring.writer();
    for (int i = 0; i != 3; ++i) REQUIRE(slow.write({})); // up to the end of a page
    const auto me = std::this_thread::get_id();
    std::atomic<bool> others_turn{false}, enough{false};
    int step = 0, fast_step = 0, met = 0;
    stepping_barriers::before_access = [&] {
        if (std::this_thread::get_id() != me) {
            if (fast_step++ != 2 || enough) return; // head, mark, and now its claim
            others_turn = false;
            while (!others_turn) std::this_thread::yield();
        } else if (step++ >= 3 && step % 2 == 0 &&
                   met != 4) { // head, mark, head, then two marks for each page
            ++met;
            others_turn = true;
            while (others_turn) std::this_thread::yield();
        }
    };
    std::thread running([&] {
        while (!others_turn) std::this_thread::yield();
        for (int page = 0; page != 4; ++page)
            for (int i = 0; i != 3; ++i) {
                fast_step = i == 1 ? 0 : 3;
                fast.write({});
            }
    });
    const bool written = slow.write({}, {record_type::sample, 1});
    enough = true;
    others_turn = true;
    running.join();
    stepping_barriers::before_access = nullptr;
    CHECK(met == 4);
    CHECK(written);
    CHECK(ring.lost() == 0);
    const auto seen = ring.take();
    CHECK(seen.error() == snapshot_error::none);
    CHECK(std::count_if(seen.records().begin(), seen.records().end(),
                        [](const record& one) { return one.misc() == 1; }) == 1);
}

TEST_CASE("a signal handler writes to the shared recorder its thread writes to, with the same writer") {
    ring_type ring(1 << 16, near_the_wrap);
    auto mine = ring.writer();
    signalled_ring = &ring;
    signalled_writer = &mine;
    handled = 0;
    struct sigaction action {};
    action.sa_handler = handler;
    struct sigaction before {};
    REQUIRE(::sigaction(SIGUSR1, &action, &before) == 0);
    const pthread_t here = ::pthread_self();
    std::atomic<bool> done{false};
    std::thread other([&] {
        for (int i = 0; i != 300; ++i) {
            ::pthread_kill(here, SIGUSR1);
            std::this_thread::yield();
        }
        done = true;
    });
    std::uint64_t next = 0;
    std::uint64_t refused = 0;
    // On a busy machine the other thread may have ended before the first of these writes.
    while (!done || next < 200) refused += !mine.write(numbered_record(1, next++).bytes());
    other.join();
    ::sigaction(SIGUSR1, &before, nullptr);
    CHECK(refused == 0);
    CHECK(handled > 0);
    CHECK(ring.lost() == 0);
    const seen_records seen(ring.take());
    CHECK(seen.whole);
    CHECK(seen.without_gap);
    CHECK(seen.records.size() > 100);
}
