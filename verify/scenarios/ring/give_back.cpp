// SPDX-License-Identifier: Apache-2.0
// A consumer that reads one by one gives room back in pieces (ring_options::give_back), and all of it when it comes to
// the end: a producer that waits for room that has been read gets it, and nothing is overwritten before.

#include "mutants.hpp"

#include <ringproof/producer/single_in_band.hpp>
#include <ringproof/record_ring.hpp>

#include <array>
#include <span>
#include <thread>

namespace verify = ringproof::verify;

namespace {

constexpr std::size_t capacity = 512; // of which a sixteenth, two small records, gathers
constexpr std::size_t large_words = 55;

/// A record of this size at each place in the stream: three small ones and a large one fill the ring, and those behind
/// them need what the small ones leave.
constexpr std::size_t words_of[] = {1, 1, 1, large_words, 1, 1};

template <class Ring>
void produce(Ring& ring) {
    std::array<std::uint64_t, large_words> body;
    for (std::uint64_t i = 0; i != std::size(words_of); ++i) {
        body.fill(i);
        const auto bytes = std::as_bytes(std::span(body)).first(8 * words_of[i]);
        while (!ring.try_write(bytes)) verify::cover("full"), verify::pause();
        if (i > 3) verify::cover("reuse");
    }
}

template <class Producer, class Barriers>
void read_one_by_one() {
    ringproof::record_ring<Producer, Barriers> ring{capacity, 0 - std::uint64_t{24}};
    std::thread producer([&] { produce(ring); });
    std::uint64_t expected = 0;
    const auto use = [&](const auto& record) {
        std::array<std::uint64_t, large_words> got{};
        VERIFY_THAT(record.copy_to(std::as_writable_bytes(std::span(got))) == 8 * words_of[expected]);
        VERIFY_THAT(got[0] == expected && got[words_of[expected] - 1] == expected);
        ++expected;
    };
    while (expected != std::size(words_of)) {
        if (ring.consume(use, 1) == 0) verify::cover("empty"), verify::pause();
        VERIFY_THAT(ring.error() == ringproof::read_error{});
    }
    producer.join();
}

template <class Barriers>
void of_single() {
    read_one_by_one<ringproof::single, Barriers>();
}
template <class Barriers>
void of_single_in_band() {
    read_one_by_one<ringproof::single_in_band, Barriers>();
}
template <class Barriers>
void of_shared() {
    read_one_by_one<ringproof::shared, Barriers>();
}

/// Gives back a piece and forgets the end: what was read last never comes back.
struct forgets_the_end : ringproof::scenarios::watched {
    static void release_tail(std::atomic<position>& tail, position value) noexcept {
        if (value - own(tail) >= capacity / 16) watched::release_tail(tail, value);
    }
};

/// The producer waits until all that was read has come back, the last and small record too.
template <class Barriers>
void all_comes_back() {
    ringproof::record_ring<ringproof::single, Barriers> ring{capacity};
    constexpr std::uint64_t small = 1;
    const std::array<std::uint64_t, capacity / 8 - 1> whole{};
    std::thread producer([&] {
        VERIFY_THAT(ring.try_write(std::as_bytes(std::span(&small, 1))));
        while (!ring.try_write(std::as_bytes(std::span(whole)))) verify::cover("full"), verify::pause();
    });
    for (int count = 0; count != 2;) {
        const auto now = ring.consume([](const auto&) {}, 1);
        count += static_cast<int>(now);
        if (now == 0) verify::cover("empty"), verify::pause();
    }
    producer.join();
}

} // namespace

RINGPROOF_RING_SCENARIO("record_ring, single: read one by one, given back in pieces", of_single, "full",
                        "empty", "reuse")
RINGPROOF_RING_SCENARIO("record_ring, single_in_band: read one by one, given back in pieces",
                        of_single_in_band, "full", "empty", "reuse")
RINGPROOF_RING_SCENARIO("record_ring, shared: read one by one, given back in pieces", of_shared, "full",
                        "empty", "reuse")
VERIFY("record_ring, read one by one: all of it comes back at the end", .models = {rc11, sc, tso},
       .covers = {"full", "empty"}) {
    all_comes_back<ringproof::scenarios::watched>();
}
VERIFY("record_ring, read one by one: the end is forgotten", .expect = refuted) {
    all_comes_back<forgets_the_end>();
}
