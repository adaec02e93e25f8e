// SPDX-License-Identifier: Apache-2.0
#include "ringproof/producer/single.hpp"

#include <array>
#include <catch2/catch.hpp>

#include "../counting_barriers.hpp"
#include "ringproof/record_ring.hpp"

using namespace ringproof;
using tally = counting_barriers::tally;

TEST_CASE("a single producer's record is one B, and one A only when the known room is used up") {
    record_ring<single, counting_barriers> ring(64);
    const std::array<std::byte, 24> payload{};
    counting_barriers::take();
    REQUIRE(ring.write(payload));
    REQUIRE(ring.write(payload));
    CHECK(counting_barriers::take() == tally{0, 2, 0, 0, 0});
    CHECK_FALSE(ring.write(payload));
    CHECK(counting_barriers::take() == tally{1, 0, 0, 0, 0});
}

TEST_CASE("a batch from a single producer is one C and one D however many records it has") {
    record_ring<single, counting_barriers> ring(256);
    for (int i = 0; i != 10; ++i) REQUIRE(ring.write({}));
    counting_barriers::take();
    CHECK(ring.consume([](const record&) {}) == 10);
    CHECK(counting_barriers::take() == tally{0, 0, 1, 1, 0});
    CHECK(ring.consume([](const record&) {}) == 0);
    CHECK(counting_barriers::take() == tally{0, 0, 1, 0, 0});
}

TEST_CASE("a single producer holds one reservation at a time") {
    record_ring<single> ring(64);
    auto first = ring.begin(1);
    REQUIRE(first);
    CHECK(ring.try_begin(1).why() == refusal::reservation_open);
    first.commit();
    CHECK(ring.try_begin(1));
}

TEST_CASE("a single producer's discarded reservation takes no space") {
    record_ring<single> ring(64);
    ring.begin(40).discard();
    CHECK(ring.size_guess() == 0);
}

TEST_CASE("a tail beyond head is refused as full, not computed with") {
    single::producer_side<acquire_release> producer(64);
    std::uint64_t at = 0;
    const std::atomic<std::uint64_t> tail{72};
    CHECK(producer.reserve(at, 72, 64, tail) == refusal::full);
    CHECK(producer.reserve(at, 72, 64, tail) == refusal::full); // nor remembered
    CHECK(producer.reserve(at, 8, 64, tail) == refusal::none);  // still covered by the tail known before
}

TEST_CASE("a head out of range is an error, not a batch") {
    const single::producer_side<acquire_release> producer(1000);
    single::consumer_side<acquire_release> consumer(0);
    CHECK(consumer.look(producer, 0, 64) == read_error::head_out_of_range);
    CHECK(consumer.available(0, 0, 64) == 0);
    single::consumer_side<acquire_release> ahead(1008);
    CHECK(ahead.look(producer, 1008, 64) == read_error::head_out_of_range);
}
