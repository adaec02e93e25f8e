// SPDX-License-Identifier: Apache-2.0
// Wake-ups that are due when a reservation is given up, and what keeps a reader awake.
#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <cerrno>
#include <cstring>
#include <functional>
#include <utility>

#include <unistd.h>

#include "ringproof/record_ring.hpp"
#include "ringproof/wake/event_descriptor.hpp"
#include "ringproof/wake/futex.hpp"

using namespace ringproof;

namespace {

constexpr std::array<std::byte, 24> payload{}; // 32 bytes with its header

template <class Producer, class Wake = futex_wakeup>
using ring_of = record_ring<Producer, acquire_release, refuse, padded, Wake>;

const auto ignore = [](const record&) {};

/// Calls the test where the reader has found no more records, and is about to look whether some have come.
struct counted_sink : futex {
    static inline std::function<void()> before_lowering;
    static inline int lowered_flags;
    void raised(const std::atomic<std::uint32_t>&) noexcept {}
    void lowered() noexcept { ++lowered_flags; }
    void collect() noexcept {
        if (const auto once = std::exchange(before_lowering, nullptr)) once();
    }
};

/// Calls the test where the reader has found the ring empty, and is about to lower the flag.
struct lowering_barriers : acquire_release {
    static inline std::function<void()> before_lowering;
    static std::uint32_t lower(std::atomic<std::uint32_t>& flag, std::uint32_t value) noexcept {
        if (const auto once = std::exchange(before_lowering, nullptr)) once();
        return acquire_release::lower(flag, value);
    }
};

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

TEMPLATE_TEST_CASE(
    "a record that comes when the reader has seen the last one keeps the flag up, without a break", "",
    single, nested, shared) {
    ring_of<TestType, watermark<counted_sink>> ring(ring_memory::heap(256), {0, 0, 32});
    while (!ring.ready()) REQUIRE(ring.write(payload));
    counted_sink::lowered_flags = 0;
    counted_sink::before_lowering = [&] { REQUIRE(ring.write(payload)); };
    CHECK(ring.consume(ignore) != 0);
    REQUIRE_FALSE(counted_sink::before_lowering); // it has come in
    CHECK(counted_sink::lowered_flags == 0);
    CHECK(ring.ready());
    CHECK(ring.consume(ignore) == 1);
    CHECK(counted_sink::lowered_flags == 1);
    CHECK_FALSE(ring.ready());
}

TEMPLATE_TEST_CASE("a record that comes before the flag is lowered, and behind the last look, keeps the "
                   "reader awake",
                   "", single, nested, shared) {
    record_ring<TestType, lowering_barriers, refuse, padded, futex_wakeup> ring(ring_memory::heap(256),
                                                                                {0, 0, 32});
    while (!ring.ready()) REQUIRE(ring.write(payload));
    lowering_barriers::before_lowering = [&] {
        for (int i = 0; i != 2; ++i) REQUIRE(ring.write(payload)); // raises what is still up
    };
    CHECK(ring.consume(ignore) != 0);
    REQUIRE_FALSE(lowering_barriers::before_lowering); // it has come in
    CHECK(ring.ready());
    CHECK(ring.consume(ignore) == 2);
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

TEST_CASE("a raise that the descriptor does not take leaves errno as it is, too") {
    ring_of<single, descriptor_wakeup> ring(ring_memory::heap(256), {0, 0, 32});
    const std::uint64_t most = 0xffff'ffff'ffff'fffe; // where an eventfd ends; raises alone never get there
    const std::uint64_t one = 1;
    REQUIRE(::write(ring.descriptor(), &most, sizeof most) == sizeof most);
    REQUIRE(::write(ring.descriptor(), &one, sizeof one) < 0);
    errno = 1234;
    for (int i = 0; i != 2; ++i) CHECK(ring.write(payload));
    CHECK(errno == 1234);
    CHECK(ring.ready());
}
