// SPDX-License-Identifier: Apache-2.0
// Records of variable size in perf's format, from one producer (one shared position) and from several
// (in-band commit), split at the end of the data area, discarded, refused and counted.

#include "mutants.hpp"

#include <ringproof/record_ring.hpp>

#include <array>
#include <cstring>
#include <thread>

namespace verify = ringproof::verify;

namespace {

/// A payload that tells its own number in every byte, so that a torn record shows.
struct pattern {
    explicit pattern(unsigned number, std::size_t size) : size_(size) {
        std::memset(bytes_, static_cast<int>(number), sizeof bytes_);
    }
    std::span<const std::byte> bytes() const { return {bytes_, size_}; }

  private:
    std::byte bytes_[32];
    std::size_t size_;
};

template <class Record>
unsigned number_of(const Record& record) {
    std::byte bytes[32];
    const auto whole = record.bytes();
    if (!whole.second.empty()) verify::cover("split");
    const std::size_t size = record.copy_to(bytes);
    VERIFY_THAT(size == record.size());
    for (std::size_t i = 1; i < size; ++i) VERIFY_THAT(bytes[i] == bytes[0]);
    return static_cast<unsigned>(bytes[0]);
}

/// Records of 8 + 24 bytes through 64 bytes of data: two fit, so the third reuses the first's bytes;
/// begun 24 bytes before the end, so that one is split.
template <class Producer, class Barriers>
void from_one_producer(std::uint64_t start, unsigned records) {
    ringproof::record_ring<Producer, Barriers> ring{64, start};
    std::thread producer([&] {
        for (unsigned i = 1; i <= records; ++i) {
            const pattern payload(i, 24);
            while (!ring.try_write(payload.bytes())) verify::cover("full"), verify::pause();
            if (i > 2) verify::cover("reuse");
        }
        ring.flush();
    });
    for (unsigned expected = 1; expected <= records;) {
        bool any = false;
        for (const auto record : ring.read()) {
            VERIFY_THAT(number_of(record) == expected++);
            any = true;
        }
        VERIFY_THAT(ring.error() == ringproof::read_error{});
        if (!any) verify::cover("empty"), verify::pause();
    }
    producer.join();
}

/// Records of several lines, which the consumer takes over before it gives them back: D covers its stores too.
template <class Producer, class Barriers>
void lines_taken_over() {
    ringproof::record_ring<Producer, Barriers> ring{1024, 0 - std::uint64_t{520}};
    constexpr std::size_t words = 65; // 528 bytes with the header, so there is room for one
    std::thread producer([&] {
        for (std::uint64_t i = 1; i <= 2; ++i) {
            auto room = ring.try_begin(8 * words);
            for (; !room; room = ring.try_begin(8 * words)) verify::cover("full"), verify::pause();
            std::array<std::uint64_t, words> body;
            body.fill(i);
            room.copy_from(std::as_bytes(std::span(body)));
        }
        ring.flush();
    });
    for (std::uint64_t expected = 1; expected <= 2;) {
        bool any = false;
        for (const auto record : ring.read()) {
            std::array<std::uint64_t, words> got;
            VERIFY_THAT(record.copy_to(std::as_writable_bytes(std::span(got))) == sizeof got);
            for (std::size_t at = 0; at < words; at += 8) VERIFY_THAT(got[at] == expected);
            ++expected, any = true;
        }
        if (!any) verify::cover("empty"), verify::pause();
    }
    producer.join();
}

template <class Barriers>
void lines_of_single() {
    lines_taken_over<ringproof::single, Barriers>();
}
template <class Barriers>
void lines_of_single_in_band() {
    lines_taken_over<ringproof::single_in_band, Barriers>();
}

template <class Barriers>
void whole_and_in_order() {
    from_one_producer<ringproof::single, Barriers>(64 - 24, 3);
}

template <class Barriers>
void across_the_wrap() {
    from_one_producer<ringproof::single, Barriers>(std::uint64_t{0} - 24, 3);
    verify::cover("wrap");
}

/// The same from two producers, whose records carry the producer's number.
template <class Barriers>
void from_two_producers() {
    ringproof::record_ring<ringproof::shared, Barriers> ring{64, 64 - 24};
    const auto produce = [&](unsigned id, unsigned count) {
        for (unsigned i = 1; i <= count; ++i) {
            const pattern payload(16 * id + i, 24);
            while (!ring.try_write(payload.bytes())) verify::cover("full"), verify::pause();
        }
    };
    std::thread first([&] { produce(0, 2); }), second([&] { produce(1, 1); });
    unsigned seen[2] = {0, 0};
    for (unsigned delivered = 0; delivered < 3;) {
        bool any = false;
        for (const auto record : ring.read()) {
            const unsigned number = number_of(record);
            VERIFY_THAT(number / 16 < 2 && number % 16 == ++seen[number / 16]);
            if (++delivered > 2) verify::cover("reuse");
            any = true;
        }
        VERIFY_THAT(ring.error() == ringproof::read_error{});
        if (!any) verify::cover("empty"), verify::pause();
    }
    first.join();
    second.join();
}

/// A discarded reservation delivers nothing, and holds nothing up.
void discarded() {
    ringproof::record_ring<ringproof::single, ringproof::scenarios::watched> ring{64};
    std::thread producer([&] {
        for (unsigned i = 1; i <= 3; ++i) {
            for (;;) {
                auto reservation = ring.try_begin(8);
                if (!reservation) {
                    verify::cover("full"), verify::pause();
                    continue;
                }
                reservation.copy_from(pattern(i, 8).bytes());
                if (i == 2)
                    reservation.discard();
                else
                    reservation.commit();
                break;
            }
        }
    });
    for (unsigned expected = 1; expected <= 3;) {
        bool any = false;
        for (const auto record : ring.read()) {
            VERIFY_THAT(number_of(record) == expected);
            expected += 2;
            any = true;
        }
        if (!any) verify::cover("empty"), verify::pause();
    }
    producer.join();
}

} // namespace

RINGPROOF_RING_SCENARIO("record_ring, one producer: records arrive whole and in order", whole_and_in_order,
                        "full", "empty", "reuse", "split")
RINGPROOF_RING_SCENARIO("record_ring, one producer: positions run over 2^64", across_the_wrap, "full",
                        "empty", "reuse", "split", "wrap")
RINGPROOF_RING_SCENARIO("record_ring, two producers: records arrive whole, each producer's in order",
                        from_two_producers, "full", "empty", "reuse", "split", "contention")

RINGPROOF_RING_SCENARIO("record_ring, single: lines that the consumer has taken over", lines_of_single,
                        "full", "empty")
RINGPROOF_RING_SCENARIO("record_ring, single_in_band: lines that the consumer has taken over",
                        lines_of_single_in_band, "full", "empty")

VERIFY("record_ring: a discarded reservation delivers nothing", .models = {rc11, sc, tso},
       .covers = {"empty"}) {
    discarded();
}
