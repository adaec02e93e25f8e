// SPDX-License-Identifier: Apache-2.0
#include "ringproof/producer/nested.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstring>
#include <ctime>
#include <numeric>
#include <pthread.h>
#include <thread>
#include <vector>

#include "../counting_barriers.hpp"
#include "../interrupted_barriers.hpp"
#include "ringproof/full/keep_oldest.hpp"
#include "ringproof/record_ring.hpp"
#include "ringproof/wake/futex.hpp"

using namespace ringproof;

namespace {

constexpr std::uint64_t near_the_wrap = 0 - std::uint64_t{40};

/// A payload of `size` bytes that all say `number`.
struct pattern {
    pattern(unsigned number, std::size_t size) : size_(size) {
        std::memset(bytes_, static_cast<int>(number), sizeof bytes_);
    }
    [[nodiscard]] std::span<const std::byte> bytes() const { return {bytes_, size_}; }

  private:
    std::byte bytes_[64];
    std::size_t size_;
};

/// The number of a whole record, or 0.
unsigned number_of(const record& one) {
    std::array<std::byte, 64> bytes{};
    const std::size_t size = one.copy_to(bytes);
    for (std::size_t i = 0; i != size; ++i)
        if (bytes[i] != bytes[0]) return 0;
    return static_cast<unsigned>(bytes[0]);
}

/// Runs `write(1)`; at the steps chosen, `write(2)` and so on come in, each from its beginning to its end, wherever
/// that is. @return false when the last step lies behind the end of everything
template <class Write>
bool with_interrupts(std::span<const std::size_t> steps, Write&& write) {
    std::size_t step = 0, next = 0;
    interrupted_barriers::before_access = [&] {
        if (next != steps.size() && step++ == steps[next]) {
            step = 0; // the next one is counted from here
            write(static_cast<unsigned>(++next + 1));
        }
    };
    write(1U);
    interrupted_barriers::before_access = nullptr;
    return next == steps.size();
}

/// Calls `run` with all choices of `depth` steps at which a writer comes in. @return how many there were
template <class Run>
std::size_t all_interleavings(std::size_t depth, Run&& run) {
    std::vector<std::size_t> steps(depth, 0);
    std::size_t count = 0;
    for (std::size_t position = depth; position != 0;) {
        if (run(std::span<const std::size_t>(steps))) {
            ++count;
            position = depth;
            ++steps[depth - 1];
            continue;
        }
        // Behind the end: the step before moves on.
        steps[position - 1] = 0;
        if (--position != 0) ++steps[position - 1];
    }
    return count;
}

} // namespace

TEST_CASE(
    "wherever writers come in, the reader gets every record once, whole, as soon as the outermost is done") {
    const std::size_t depth = GENERATE(1, 2, 3);
    const std::uint64_t start = GENERATE(std::uint64_t{0}, near_the_wrap);
    const std::size_t count = all_interleavings(depth, [&](std::span<const std::size_t> steps) {
        record_ring<nested, interrupted_barriers> ring(256, start);
        std::vector<unsigned> delivered;
        std::uint64_t last_size = 0;
        const auto look = [&] {
            const auto hold = std::exchange(interrupted_barriers::before_access, nullptr);
            for (auto one : ring.read()) delivered.push_back(number_of(one));
            if (ring.error() != read_error::none) delivered.push_back(1000); // head went back
            last_size = ring.size_guess();
            interrupted_barriers::before_access = hold;
        };
        interrupted_barriers::after_publication = look;
        const bool all = with_interrupts(steps, [&](unsigned number) {
            if (number == 2) {
                auto room = ring.begin(3);
                room.discard();
            }
            if (!ring.write(pattern(number, 8 * number).bytes())) delivered.push_back(2000);
        });
        interrupted_barriers::after_publication = nullptr;
        const std::uint64_t unpublished = last_size;
        std::sort(delivered.begin(), delivered.end());
        std::vector<unsigned> expected(all ? depth + 1 : delivered.size());
        std::iota(expected.begin(), expected.end(), 1U);
        REQUIRE(delivered == expected);
        REQUIRE(unpublished == 0);
        return all;
    });
    CHECK(count == (depth == 1 ? 10U : depth == 2 ? 222U : 4420U));
}

TEST_CASE("wherever writers come in, losses are told once and all told") {
    const std::size_t count = all_interleavings(2, [&](std::span<const std::size_t> steps) {
        record_ring<nested, interrupted_barriers, keep_oldest> ring(128, near_the_wrap);
        while (ring.try_write(pattern(9, 8).bytes())) {
        }
        REQUIRE_FALSE(ring.write(pattern(9, 8).bytes()));
        ring.consume([](const record&) {}, 4); // 64 of 120 bytes
        unsigned accepted = 0;
        const bool all = with_interrupts(
            steps, [&](unsigned number) { accepted += ring.write(pattern(number, 8).bytes()); });
        std::uint64_t told = 0;
        unsigned delivered = 0;
        const auto count_up = [&](const record& one) {
            if (one.type() == record_type::lost)
                told += one.as<lost_record>()->count;
            else if (number_of(one) != 9)
                ++delivered;
        };
        while (ring.consume(count_up) != 0) {
        }
        REQUIRE(delivered == accepted);
        REQUIRE(told + ring.unreported() == ring.lost());
        if (all) REQUIRE(accepted + ring.lost() == 1 + 3);
        return all;
    });
    CHECK(count == 326);
}

TEST_CASE("wherever writers come in, a crossed watermark wakes, and only after publication") {
    using ring_type = record_ring<nested, interrupted_barriers, refuse, padded, futex_wakeup>;
    const std::size_t count = all_interleavings(2, [&](std::span<const std::size_t> steps) {
        ring_type ring(ring_memory::heap(256), {near_the_wrap, 0, 32});
        bool early = false;
        const bool all = with_interrupts(steps, [&](unsigned number) {
            const auto hold = std::exchange(interrupted_barriers::before_access, nullptr);
            early |= ring.ready() && ring.size_guess() == 0;
            interrupted_barriers::before_access = hold;
            REQUIRE(ring.write(pattern(number, 8).bytes()));
        });
        // Three records of 16 bytes are more than 32; two are not.
        if (all) REQUIRE(ring.ready());
        REQUIRE_FALSE(early);
        return all;
    });
    CHECK(count == 197);
}

TEST_CASE("a nested record is one A, one B and no locked operation") {
    record_ring<nested, counting_barriers> ring(256);
    counting_barriers::take();
    REQUIRE(ring.write({}));
    CHECK(counting_barriers::take() == letter_tally{1, 1, 0, 0, 0});
    auto outer = ring.begin(8);
    REQUIRE(ring.write({}));
    CHECK(counting_barriers::take() == letter_tally{2, 0, 0, 0, 0}); // the inner one doesn't publish
    outer.commit();
    CHECK(counting_barriers::take() == letter_tally{0, 1, 0, 0, 0});
}

TEST_CASE("reservations of one thread may be closed in any order, and the last one publishes") {
    record_ring<nested> ring(256);
    auto first = ring.begin(1), second = ring.begin(2), third = ring.begin(3);
    second.commit();
    first.discard();
    CHECK(ring.consume([](const record&) {}) == 0);
    third.commit();
    std::vector<std::size_t> sizes;
    ring.consume([&](const record& one) { sizes.push_back(one.size()); });
    CHECK(sizes == std::vector<std::size_t>{2, 3});
}

TEST_CASE("a ring of N bytes takes N - 8 from a nested producer") {
    record_ring<nested> ring(64);
    CHECK(ring.max_payload() == 48);
    CHECK(ring.write(pattern(1, 48).bytes()));
    CHECK(ring.try_begin(0).why() == refusal::full);
    CHECK(ring.consume([](const record&) {}) == 1);
    CHECK(ring.write(pattern(1, 48).bytes()));
}

TEST_CASE("whatever is in tail, a nested producer stays inside its area") {
    nested::producer_side<acquire_release> producer(64);
    std::uint64_t at = 0;
    for (std::uint64_t garbage :
         {std::uint64_t{72}, ~std::uint64_t{0}, std::uint64_t{1} << 63, std::uint64_t{65}}) {
        const std::atomic<std::uint64_t> tail{garbage};
        CHECK(producer.reserve(at, 64, 64, tail) == refusal::full);
        producer.refused();
    }
}

namespace {

/// What the signal handler writes to.
record_ring<nested, acquire_release, keep_oldest>* storm_ring = nullptr;
std::atomic<std::uint64_t> storm_written{0}, storm_attempted{0}, storm_runs{0};

void write_numbered(unsigned who, std::uint64_t sequence) {
    const std::array<std::uint64_t, 4> payload{who, sequence, who ^ sequence * 0x9e37'79b9'7f4a'7c15,
                                               ~sequence};
    storm_attempted.fetch_add(1, std::memory_order_relaxed);
    // As long as the sequence says, from 16 bytes on.
    const auto bytes = std::as_bytes(std::span(payload)).first(16 + sequence % 3 * 8);
    if (storm_ring->write(bytes)) storm_written.fetch_add(1, std::memory_order_relaxed);
}

void on_signal(int which) {
    // Two handlers that interrupt each other as well.
    const std::uint64_t run = storm_runs.fetch_add(1, std::memory_order_relaxed);
    write_numbered(which == SIGUSR1 ? 1 : which == SIGUSR2 ? 2 : 3, run);
    if (run % 4 == 0) write_numbered(4, run);
}

} // namespace

TEST_CASE("real signals that interrupt a writer and each other lose nothing and tear nothing") {
    record_ring<nested, acquire_release, keep_oldest> ring(4096, near_the_wrap);
    storm_ring = &ring;
    storm_written = storm_attempted = storm_runs = 0;
    struct sigaction action {
    }, old1{}, old2{}, old3{};
    action.sa_handler = on_signal; // nothing is blocked but the signal itself
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(SIGUSR1, &action, &old1);
    sigaction(SIGUSR2, &action, &old2);
    sigaction(SIGALRM, &action, &old3);

    std::atomic<bool> ended{false}, consumer_ended{false};
    std::atomic<pthread_t> writer_id{};
    std::atomic<bool> writer_there{false};
    std::thread writer([&] {
        writer_id = pthread_self();
        timer_t timer{};
        sigevent event{};
        event.sigev_notify = SIGEV_SIGNAL; // to the process: only this thread does not block it
        event.sigev_signo = SIGALRM;
        timer_create(CLOCK_MONOTONIC, &event, &timer);
        const itimerspec often{{0, 200'000}, {0, 200'000}};
        timer_settime(timer, 0, &often, nullptr);
        writer_there = true;
        for (std::uint64_t i = 0; i < 20'000 || storm_runs.load() < 300; ++i) write_numbered(0, i);
        timer_delete(timer);
        ended = true;
        while (!consumer_ended) std::this_thread::yield(); // stays a target for the last signals
    });
    sigset_t all{};
    sigaddset(&all, SIGUSR1), sigaddset(&all, SIGUSR2), sigaddset(&all, SIGALRM);
    sigset_t before{};
    pthread_sigmask(SIG_BLOCK, &all, &before);
    std::thread sender([&] {
        while (!writer_there) std::this_thread::yield();
        for (unsigned i = 0; !ended; ++i) {
            pthread_kill(writer_id, i % 2 == 0 ? SIGUSR1 : SIGUSR2);
            std::this_thread::yield();
        }
    });
    std::uint64_t delivered = 0, told = 0, wrong = 0;
    const auto drain = [&] {
        ring.consume([&](const record& one) {
            if (one.type() == record_type::lost) {
                told += one.as<lost_record>()->count;
                return;
            }
            std::array<std::uint64_t, 4> got{};
            const std::size_t size = one.copy_to(std::as_writable_bytes(std::span(got)));
            ++delivered;
            if (size != 16 + got[1] % 3 * 8) ++wrong;
            if (size >= 24 && got[2] != (got[0] ^ got[1] * 0x9e37'79b9'7f4a'7c15)) ++wrong;
            if (size >= 32 && got[3] != ~got[1]) ++wrong;
        });
        if (ring.error() != read_error::none) ++wrong;
    };
    while (!ended) drain();
    sender.join();
    consumer_ended = true;
    writer.join();
    drain();
    CHECK(wrong == 0);
    CHECK(delivered == storm_written);
    CHECK(told + ring.unreported() == ring.lost());
    CHECK(delivered + ring.lost() == storm_attempted);
    CHECK(storm_runs >= 300);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    sigaction(SIGUSR1, &old1, nullptr);
    sigaction(SIGUSR2, &old2, nullptr);
    sigaction(SIGALRM, &old3, nullptr);
}
