// SPDX-License-Identifier: Apache-2.0
#include "ringproof/hand_over.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "counting_barriers.hpp"
#include "ringproof/full/keep_oldest.hpp"
#include "ringproof/record_ring.hpp"
#include "ringproof/spsc_queue.hpp"
#include "ringproof/wake/event_descriptor.hpp"

using namespace ringproof;
using tally = counting_barriers::tally;

namespace {
constexpr std::array<std::byte, 24> body{}; // 32 bytes in the ring
constexpr std::uint64_t near_the_wrap = 0 - std::uint64_t{40};

template <class Ring>
std::size_t seen(Ring& ring) {
    return ring.consume([](const auto&) {});
}

using batched_queue = spsc_queue<int, counting_barriers, batched<3>>;
} // namespace

TEST_CASE("records of a batched producer are handed over when enough bytes have gathered") {
    record_ring<single_batched<96>, counting_barriers> ring(1024, near_the_wrap);
    counting_barriers::take();
    REQUIRE(ring.write(body));
    REQUIRE(ring.write(body));
    CHECK(counting_barriers::take() == tally{0, 0, 0, 0, 0});
    CHECK(seen(ring) == 0);
    REQUIRE(ring.write(body));
    CHECK(seen(ring) == 3);
}

TEST_CASE("records of a batched producer are handed over by flush, once") {
    record_ring<single_batched<>, counting_barriers> ring(1024);
    REQUIRE(ring.write(body));
    counting_barriers::take();
    ring.flush();
    ring.flush();
    CHECK(counting_barriers::take().b == 1);
    CHECK(seen(ring) == 1);
}

TEST_CASE("records of a batched producer are handed over when there is no room for the next") {
    record_ring<single_batched<>> ring(64);
    REQUIRE(ring.write(body));
    REQUIRE(ring.write(body));
    CHECK(seen(ring) == 0);
    CHECK_FALSE(ring.write(body));
    CHECK(seen(ring) == 2);
    CHECK(ring.write(body));
}

TEST_CASE("a discarded reservation hands nothing over, and what is handed over is whole") {
    record_ring<single_batched<32>, acquire_release, keep_oldest> ring(64);
    REQUIRE(ring.write(body));
    REQUIRE(ring.write(body));
    REQUIRE_FALSE(ring.write(body));
    CHECK(seen(ring) == 2);
    ring.begin(8).discard(); // the LOST record in front stays
    ring.flush();
    CHECK(seen(ring) == 1);
    CHECK(ring.unreported() == 0);
}

TEST_CASE("a watermark that was crossed wakes when the records are handed over, not before") {
    record_ring<single_batched<>, acquire_release, refuse, padded, descriptor_wakeup> ring(
        ring_memory::heap(1024), {0, 0, 16});
    REQUIRE(ring.write(body));
    CHECK_FALSE(ring.ready());
    ring.flush();
    CHECK(ring.ready());
    CHECK(seen(ring) == 1);
}

TEST_CASE("a record in band is one B, and one A only when the known room is used up") {
    record_ring<single_in_band, counting_barriers> ring(128, near_the_wrap);
    counting_barriers::take();
    for (int i = 0; i != 3; ++i) REQUIRE(ring.write(body));
    CHECK(counting_barriers::take() == tally{0, 3, 0, 0, 0});
    CHECK_FALSE(ring.write(body)); // the word behind the last record stays free
    CHECK(counting_barriers::take() == tally{1, 0, 0, 0, 0});
    CHECK(seen(ring) == 3);
    CHECK(counting_barriers::take() == tally{0, 0, 4, 1, 0});
}

TEST_CASE("nothing of the lap before is taken for a record in band") {
    record_ring<single_in_band> ring(64, near_the_wrap);
    // What looks like a header at every place where one could be.
    std::array<std::uint64_t, 6> bait;
    bait.fill(std::bit_cast<std::uint64_t>(record_header{9, 0, 8}));
    REQUIRE(ring.max_payload() == sizeof bait);
    for (int lap = 0; lap != 20; ++lap) {
        for (std::size_t size : {sizeof bait, std::size_t{8}, std::size_t{24}}) {
            REQUIRE(ring.write(std::as_bytes(std::span(bait)).first(size)));
            CHECK(seen(ring) == 1);
            CHECK(seen(ring) == 0);
            CHECK(ring.error() == read_error::none);
        }
    }
}

TEST_CASE("a LOST record in band stands before the next record, also when that is discarded") {
    record_ring<single_in_band, acquire_release, keep_oldest> ring(128);
    for (int i = 0; i != 3; ++i) REQUIRE(ring.write(body));
    CHECK_FALSE(ring.write(body));
    CHECK_FALSE(ring.write(body));
    CHECK(seen(ring) == 3);
    std::vector<std::uint32_t> types;
    ring.begin(8).discard();
    REQUIRE(ring.write(body));
    ring.consume([&](const record& one) {
        types.push_back(one.type());
        if (const auto lost = one.as<lost_record>()) CHECK((lost->count == 2 || types.size() != 1));
    });
    CHECK(types == std::vector<std::uint32_t>{record_type::lost, record_type::sample});
}

TEST_CASE("items of a batched producer are handed over in numbers, by flush, and when the queue is full") {
    batched_queue queue(4, 0 - std::uint64_t{2});
    counting_barriers::take();
    REQUIRE(queue.try_push(1));
    REQUIRE(queue.try_push(2));
    CHECK(counting_barriers::take() == tally{0, 0, 0, 0, 0});
    CHECK(queue.try_pop() == std::nullopt);
    REQUIRE(queue.try_push(3));
    CHECK(queue.try_pop() == 1);
    REQUIRE(queue.try_push(4));
    REQUIRE(queue.try_push(5));
    CHECK_FALSE(queue.try_push(6));
    for (int i = 2; i <= 5; ++i) CHECK(queue.try_pop() == i);
    REQUIRE(queue.try_push(6));
    CHECK(queue.try_pop() == std::nullopt);
    queue.flush();
    CHECK(queue.try_pop() == 6);
}

TEST_CASE("items that were not handed over are destroyed with their queue") {
    const auto one = std::make_shared<int>(1);
    {
        spsc_queue<std::shared_ptr<int>, acquire_release, batched_items> queue(4);
        REQUIRE(queue.try_push(one));
        CHECK(one.use_count() == 2);
    }
    CHECK(one.use_count() == 1);
}

TEST_CASE("items in band come in order, in batches and one by one, also across the 2^64 wrap") {
    spsc_queue<std::unique_ptr<int>, acquire_release, in_band> queue(4, 0 - std::uint64_t{6});
    int next = 0, expected = 0;
    for (int round = 0; round != 10; ++round) {
        std::array<std::unique_ptr<int>, 3> some;
        for (auto& one : some) one = std::make_unique<int>(next++);
        REQUIRE(queue.try_push_n(std::make_move_iterator(some.begin()), 3) == 3);
        REQUIRE(queue.try_push(std::make_unique<int>(next++)));
        CHECK_FALSE(queue.try_push(nullptr));
        CHECK(queue.size_guess() == 4);
        std::unique_ptr<int> one;
        REQUIRE(queue.try_pop(one));
        CHECK(*one == expected++);
        CHECK(queue.consume([&](std::unique_ptr<int>& each) { CHECK(*each == expected++); }) == 3);
        CHECK_FALSE(queue.try_pop(one));
    }
}

TEST_CASE("items in band are one B each, and head does not travel") {
    spsc_queue<int, counting_barriers, in_band> queue(4);
    counting_barriers::take();
    REQUIRE(queue.try_push(1));
    CHECK(counting_barriers::take() == tally{0, 1, 0, 0, 0});
    CHECK(queue.try_pop() == 1);
    CHECK(counting_barriers::take() == tally{0, 0, 1, 1, 0});
}
