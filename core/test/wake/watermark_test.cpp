// SPDX-License-Identifier: Apache-2.0
// The flag and both ways to sleep on it.
#include "ringproof/wake/watermark.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <thread>

#include "ringproof/record_ring.hpp"
#include "ringproof/wake/event_descriptor.hpp"
#include "ringproof/wake/futex.hpp"

using namespace ringproof;

namespace {

constexpr std::byte payload[24]{};

template <class Producer, class Wake>
struct with {
    using ring = record_ring<Producer, acquire_release, refuse, padded, Wake>;
};

/// What poll says about the descriptor right now.
template <class Ring>
bool readable(const Ring& ring) {
    if constexpr (Ring::has_descriptor) {
        pollfd one{ring.descriptor(), POLLIN, 0};
        return ::poll(&one, 1, 0) == 1;
    } else {
        return ring.ready();
    }
}

} // namespace

#define FOR_ALL_WAKE_UPS(sentence)                                                                           \
    TEMPLATE_TEST_CASE(sentence, "", (with<single, futex_wakeup>), (with<nested, futex_wakeup>),             \
                       (with<shared, futex_wakeup>), (with<single, descriptor_wakeup>),                      \
                       (with<nested, descriptor_wakeup>), (with<shared, descriptor_wakeup>))

FOR_ALL_WAKE_UPS("crossing the watermark raises, and only finding the ring empty lowers") {
    typename TestType::ring ring(ring_memory::heap(256), {0, 0, 64});
    REQUIRE(ring.write(payload));
    CHECK_FALSE(ring.ready());
    REQUIRE(ring.write(payload));
    REQUIRE(ring.write(payload));  // 96 bytes
    for (int i = 0; i != 3; ++i) { // asked as often as one likes
        CHECK(ring.ready());
        CHECK(readable(ring));
    }
    ring.wait(); // returns
    CHECK(ring.consume([](const record&) {}, 1) == 1);
    CHECK(readable(ring));
    CHECK(ring.consume([](const record&) {}) == 2);
    CHECK_FALSE(ring.ready());
    CHECK_FALSE(readable(ring));
}

FOR_ALL_WAKE_UPS("any watermark is crossed before the ring is full") {
    const std::size_t wanted = GENERATE(0, 128, 255, 256, 1 << 20);
    typename TestType::ring ring(ring_memory::heap(256), {0, 0, wanted});
    while (!ring.ready()) REQUIRE(ring.write(payload));
    CHECK(readable(ring));
}

FOR_ALL_WAKE_UPS("a refused record raises, so that a reader who stopped half-way comes back") {
    typename TestType::ring ring(ring_memory::heap(64), {0, 0, 32});
    const std::byte all[40]{};
    REQUIRE(ring.write(all));
    for (auto one : ring.read()) static_cast<void>(one);
    CHECK_FALSE(ring.ready());
    REQUIRE(ring.write(payload)); // just 32 bytes since the last raise
    if (ring.ready()) ring.consume([](const record&) {});
    while (ring.write(payload)) {
    }
    CHECK(ring.ready());
    CHECK(readable(ring));
}

FOR_ALL_WAKE_UPS("whoever wakes by hand wakes, also with an empty ring") {
    typename TestType::ring ring(ring_memory::heap(64));
    ring.wake();
    ring.wake();
    CHECK(readable(ring));
    CHECK(ring.consume([](const record&) {}) == 0);
    CHECK_FALSE(readable(ring));
}

FOR_ALL_WAKE_UPS("a sleeping consumer gets everything a producer writes") {
    constexpr std::uint64_t count = 20'000;
    typename TestType::ring ring(ring_memory::heap(512), {0 - std::uint64_t{256}, 0, 1});
    std::thread producer([&] {
        for (std::uint64_t i = 0; i != count; ++i) {
            const std::array<std::uint64_t, 2> body{i, ~i};
            while (!ring.try_write(std::as_bytes(std::span(body)))) std::this_thread::yield();
        }
        ring.wake();
    });
    std::uint64_t next = 0;
    while (next != count) {
        ring.wait();
        for (auto one : ring.read()) {
            const auto body = one.template as<std::array<std::uint64_t, 2>>();
            REQUIRE(body);
            REQUIRE((*body)[0] == next);
            ++next;
        }
    }
    producer.join();
}

TEST_CASE("a record that stood in the way wakes when it is complete") {
    record_ring<shared, acquire_release, refuse, padded, futex_wakeup> ring(ring_memory::heap(256),
                                                                            {0, 0, 64});
    auto first = ring.begin(24);
    REQUIRE(ring.write(payload));
    REQUIRE(ring.write(payload));
    CHECK(ring.ready());
    CHECK(ring.consume([](const record&) {}) == 0); // nothing can be read yet
    CHECK_FALSE(ring.ready());
    first.commit();
    CHECK(ring.ready());
    CHECK(ring.consume([](const record&) {}) == 3);
    CHECK_FALSE(ring.ready());
}
