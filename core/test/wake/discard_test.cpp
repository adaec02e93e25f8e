// SPDX-License-Identifier: Apache-2.0
// Wake-ups that are due when a reservation is given up, and what keeps a reader awake.
#include <array>
#include <catch2/catch.hpp>
#include <cerrno>

#include "ringproof/record_ring.hpp"
#include "ringproof/wake/event_descriptor.hpp"
#include "ringproof/wake/futex.hpp"

using namespace ringproof;

namespace {

constexpr std::array<std::byte, 24> payload{}; // 32 bytes with its header

template <class Producer, class Wake = futex_wakeup>
using ring_of = record_ring<Producer, acquire_release, refuse, padded, Wake>;

const auto ignore = [](const record&) {};

} // namespace

TEST_CASE("what a handler wrote over the watermark wakes when the outer reservation is given up") {
    ring_of<nested> ring(ring_memory::heap(256), {0, 0, 64});
    auto outer = ring.begin(8);
    for (int i = 0; i != 3; ++i) REQUIRE(ring.write(payload));
    CHECK_FALSE(ring.ready()); // nothing is published yet
    outer.discard();
    CHECK(ring.ready());
    CHECK(ring.consume(ignore) == 3);
}

TEST_CASE("a reservation given up across the watermark wakes, as what is behind it may be all there is") {
    ring_of<shared> ring(ring_memory::heap(256), {0, 0, 64});
    REQUIRE(ring.write(payload));
    auto room = ring.begin(40);
    REQUIRE(room);
    CHECK_FALSE(ring.ready());
    room.discard();
    CHECK(ring.ready());
    CHECK(ring.consume(ignore) == 1);
    CHECK_FALSE(ring.ready());
}

TEMPLATE_TEST_CASE("each watermark wakes once", "", single, nested) {
    ring_of<TestType> ring(ring_memory::heap(256), {0, 0, 64});
    for (int i = 0; i != 3; ++i) REQUIRE(ring.write(payload));
    CHECK(ring.ready());
    CHECK(ring.consume(ignore) == 3);
    CHECK_FALSE(ring.ready());
    REQUIRE(ring.write(payload)); // 128 bytes in all: no more than two watermarks
    CHECK_FALSE(ring.ready());
    REQUIRE(ring.write(payload));
    CHECK(ring.ready());
}

TEST_CASE("a reader who stops at damage stays awake") {
    ring_of<single> ring(ring_memory::heap(256), {0, 0, 32});
    REQUIRE(ring.write(payload));
    auto room = ring.begin(payload.size());
    std::byte* const header = room.bytes().first.data() - sizeof(record_header);
    room.commit();
    const record_header wrong{record_type::sample, 0, 20};
    std::memcpy(header, &wrong, sizeof wrong);
    REQUIRE(ring.ready());
    CHECK(ring.consume(ignore) == 1);
    REQUIRE(ring.error() == read_error::size_unaligned);
    CHECK(ring.ready());
    ring.resynchronise();
    CHECK(ring.consume(ignore) == 0);
    CHECK_FALSE(ring.ready());
}

TEST_CASE("a refused producer of many wakes the reader, whatever has gathered") {
    ring_of<shared> ring(ring_memory::heap(256), {0, 0, 128});
    for (int i = 0; i != 8; ++i) REQUIRE(ring.write(payload));
    CHECK(ring.consume(ignore, 1) == 1);
    CHECK(ring.consume(ignore) == 7);
    CHECK_FALSE(ring.ready());
    REQUIRE(ring.write(payload));
    CHECK_FALSE(ring.ready());
    const std::array<std::byte, 248> more{};
    CHECK(ring.try_begin(more.size()).why() == refusal::full);
    CHECK(ring.ready());
}

TEST_CASE("waking and being woken leave errno as it is") {
    ring_of<single, descriptor_wakeup> ring(ring_memory::heap(256), {0, 0, 32});
    errno = 1234;
    REQUIRE(ring.write(payload));
    REQUIRE(ring.write(payload));
    CHECK(errno == 1234);
    CHECK(ring.consume(ignore) == 2);
    CHECK(ring.consume(ignore) == 0);
    CHECK(errno == 1234);
}
