// SPDX-License-Identifier: Apache-2.0
#include "ringproof/producer/shared.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <csignal>
#include <utility>
#include <vector>

#include "../counting_barriers.hpp"
#include "ringproof/record_ring.hpp"

using namespace ringproof;
using tally = counting_barriers::tally;

namespace {

int count(auto& ring) {
    return static_cast<int>(ring.consume([](const record&) {}));
}

/// Runs something once, between a producer's look at the tail and its claim.
struct interrupting : acquire_release {
    static inline void (*before_claim)() = nullptr;
    static bool claim(std::atomic<position>& reserved, position& expected, position desired) noexcept {
        if (auto* const run = std::exchange(before_claim, nullptr)) run();
        return acquire_release::claim(reserved, expected, desired);
    }
};

/// Runs something once, between a producer's look at the head and its look at the tail.
struct interrupting_earlier : acquire_release {
    static inline void (*before_tail)() = nullptr;
    static position load_tail(const std::atomic<position>& tail) noexcept {
        if (auto* const run = std::exchange(before_tail, nullptr)) run();
        return acquire_release::load_tail(tail);
    }
};

const std::array<std::byte, 8> eight{};

} // namespace

TEST_CASE("a shared ring's record is one claim, one A and one B") {
    record_ring<shared, counting_barriers> ring(64);
    counting_barriers::take();
    REQUIRE(ring.write(eight));
    CHECK(counting_barriers::take() == tally{1, 1, 0, 0, 1});
    CHECK(count(ring) == 1);
    CHECK(counting_barriers::take() == tally{0, 0, 2, 1, 0});
}

TEST_CASE("an open reservation hides the committed ones after it, until it is closed") {
    record_ring<shared> ring(64);
    auto first = ring.begin(8);
    auto second = ring.begin(8);
    auto third = ring.begin(8);
    REQUIRE(third);
    second.commit();
    CHECK(count(ring) == 0);
    first.commit();
    CHECK(count(ring) == 2);
    third.discard();
    CHECK(count(ring) == 0);
    CHECK(ring.size_guess() == 0);
}

TEST_CASE("a full ring is read once, not around and around") {
    record_ring<shared> ring(64, 0 - std::uint64_t{24});
    for (int i = 0; i != 4; ++i) REQUIRE(ring.write(eight));
    CHECK(count(ring) == 4);
    CHECK(count(ring) == 0);
}

TEST_CASE("bytes of one lap that look like a header are not one in the next") {
    record_ring<shared> ring(64);
    std::array<std::uint64_t, 7> trap{};
    trap.fill(detail::header_word({9, 0}, 0));
    for (int lap = 0; lap != 9; ++lap) {
        REQUIRE(ring.write(std::as_bytes(std::span(trap))));
        CHECK(count(ring) == 1);
        auto shift = ring.begin(0); // so that the next lap's headers lie where payload was
        CHECK(count(ring) == 0);
        shift.commit();
        CHECK(count(ring) == 1);
        CHECK(count(ring) == 0);
    }
}

TEST_CASE("a writer overtaken between its look and its claim takes the next place") {
    static record_ring<shared, interrupting>* target = nullptr;
    record_ring<shared, interrupting> ring(64);
    target = &ring;
    interrupting::before_claim = [] { CHECK(target->write({}, {1, 0})); };
    CHECK(ring.write({}, {2, 0}));
    std::uint32_t expected = 0;
    for (auto one : ring.read()) CHECK(one.type() == ++expected);
    CHECK(expected == 2);
}

TEST_CASE("a writer overtaken until the ring was full is refused") {
    static record_ring<shared, interrupting>* target = nullptr;
    record_ring<shared, interrupting> ring(64);
    target = &ring;
    interrupting::before_claim = [] {
        while (target->try_write(eight)) {
        }
    };
    CHECK(ring.try_begin(8).why() == refusal::full);
    CHECK(count(ring) == 4);
}

TEST_CASE("a writer whose view of head is older than tail looks again") {
    static record_ring<shared, interrupting_earlier>* target = nullptr;
    record_ring<shared, interrupting_earlier> ring(64, 0 - std::uint64_t{8});
    target = &ring;
    interrupting_earlier::before_tail = [] {
        CHECK(target->write(eight));
        CHECK(count(*target) == 1);
    };
    CHECK(ring.write(eight));
    CHECK(count(ring) == 1);
}

TEST_CASE("a tail beyond head in memory is refused as full") {
    shared::producer_side<acquire_release> producer(64);
    std::uint64_t at = 0;
    const std::atomic<std::uint64_t> tail{72};
    CHECK(producer.reserve(at, 8, 64, tail) == refusal::full);
}

namespace {

/// Raises a real signal at one point of a write.
struct signalling : acquire_release {
    enum point { nowhere, before_tail, before_claim, before_commit };
    static inline point armed = nowhere;
    static void fire(point here) noexcept {
        if (armed != here) return;
        armed = nowhere;
        std::raise(SIGUSR1);
    }
    static position load_tail(const std::atomic<position>& tail) noexcept {
        return fire(before_tail), acquire_release::load_tail(tail);
    }
    static bool claim(std::atomic<position>& reserved, position& expected, position desired) noexcept {
        return fire(before_claim), acquire_release::claim(reserved, expected, desired);
    }
    static void commit(std::uint64_t& word, std::uint64_t value) noexcept {
        fire(before_commit), acquire_release::commit(word, value);
    }
};

record_ring<shared, signalling>* signalled_ring = nullptr;

} // namespace

TEST_CASE("a signal handler may write to the ring its own thread is writing to, wherever it comes") {
    record_ring<shared, signalling> ring(128);
    signalled_ring = &ring;
    auto* const previous = std::signal(SIGUSR1, [](int) { signalled_ring->write(eight, {2, 0}); });
    const auto [point, handler_first] =
        GENERATE(std::pair{signalling::before_tail, true}, std::pair{signalling::before_claim, true},
                 std::pair{signalling::before_commit, false});
    signalling::armed = point;
    CHECK(ring.write(eight, {1, 0}));
    std::signal(SIGUSR1, previous);
    std::vector<std::uint32_t> types;
    for (auto one : ring.read()) types.push_back(one.type());
    CHECK(types == (handler_first ? std::vector<std::uint32_t>{2, 1} : std::vector<std::uint32_t>{1, 2}));
}
