// SPDX-License-Identifier: Apache-2.0
// Rings of many producers: BPF's, with a mark in each header, and Aeron's, with a length. (LTTng's sub-buffers and
// ftrace's pages are other structures.)

#include "../ring/shared_page.hpp"
#include "property.hpp"

#include <ringproof/producer/robust.hpp>
#include <ringproof/producer/shared.hpp>
#include <ringproof/record_ring.hpp>

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <span>
#include <thread>

namespace {

using namespace ringproof::zoo;
using number = std::uint64_t;

struct one_of_the_living {
    static constexpr bool knows_forks = false;
    static std::uint64_t own() noexcept { return 1; }
    static bool dead(std::uint64_t) noexcept { return false; }
};
template <class Producer>
using between_processes_ring = ringproof::record_ring<Producer, ringproof::acquire_release, ringproof::refuse,
                                                      ringproof::between_processes>;

/// B1. Symptom: a record in the making is overwritten. Cause: the consumer's position, which is the consumer's to write,
/// is believed. Source: CVE-2024-41009, Linux cfa1a2329a69 (2024).
template <bool OwnBound>
void in_flight_is_not_room() {
    constexpr number size = 16;
    std::array<number, size> words{};
    const number consumer = 12; // that it has read: there was nothing to read yet
    const number pending = 0;   // the oldest that is not committed
    number producer = 0;
    const auto reserve = [&](number who, number length) {
        const number end = producer + length;
        if (end - consumer > size - 1 && end > consumer) return;
        if (OwnBound && end - pending > size - 1) return;
        for (number at = producer; at < end; ++at) words[at % size] = who;
        producer = end;
    };
    reserve(1, 12);
    reserve(2, 12);
    for (number at = 0; at < 12; ++at) RINGPROOF_HOLDS(intact, words[at] == 1);
}

/// B7. Symptom: records out of order, and one that is never read. Cause: a consumer passes over a record in the making,
/// whose size it knows. The ring is the core's for several processes, whose headers say so.
struct passes_over : ringproof::robust_producer<one_of_the_living> {
    template <class Barriers>
    struct consumer_side : ringproof::robust_producer<one_of_the_living>::consumer_side<Barriers> {
        using base = ringproof::robust_producer<one_of_the_living>::consumer_side<Barriers>;
        using base::base;
        number header(const ringproof::detail::record_area& area, number at) const noexcept {
            const number word = Barriers::load_commit(area.word(at));
            const auto header = std::bit_cast<ringproof::record_header>(word);
            if (!passes_over::takes_type(header.type)) return word;
            return ringproof::detail::header_word({ringproof::record_type::padding, 0},
                                                  header.size - ringproof::detail::header_size);
        }
    };
};
template <class Producer>
void the_first_busy_record_ends_a_batch() {
    using ring_type = between_processes_ring<Producer>;
    const ringproof::scenarios::shared_page memory;
    ring_type ring(memory.map()), other(memory.map());
    const auto write = [](ring_type& to, number value) {
        VERIFY_THAT(to.try_write(std::as_bytes(std::span(&value, 1))));
    };
    std::thread slow([&] { write(other, 1); });
    write(ring, 2);
    number seen = 0;
    const auto drain = [&] {
        for (const auto record : ring.read()) {
            RINGPROOF_HOLDS(whole, record.template as<number>().has_value());
            ++seen;
        }
    };
    drain();
    if (seen == 0) ringproof::verify::cover("held up");
    slow.join();
    drain();
    RINGPROOF_HOLDS(count, seen == 2);
}

/// B10. Symptom: a producer writes into a record that another has taken over. Cause: overwriting does not ask whether the
/// oldest is committed. Source: BPF's overwrite mode (Linux 6.19).
template <bool AsksForCommit>
void only_what_is_committed_is_overwritten() {
    std::atomic<bool> busy{true};
    int slot = 0;
    std::thread slow([&] {
        slot = 1;
        busy.store(false, std::memory_order_release);
    });
    if (!AsksForCommit || !busy.load(std::memory_order_acquire))
        slot = 2;
    else
        ringproof::verify::cover("busy");
    slow.join();
    RINGPROOF_HOLDS(intact, slot != 0);
}

/// T8. Symptom: a record inside what was skipped. Cause: a producer that was only slow was taken for dead. Source:
/// Aeron's unblock. The ring is the core's for several processes, which asks for proof.
struct time_is_no_proof {
    static constexpr bool knows_forks = false;
    static std::uint64_t own() noexcept { return 2; }
    static bool dead(std::uint64_t) noexcept { return true; }
};
template <class Identity>
void the_slow_are_not_dead() {
    using ring_type = between_processes_ring<ringproof::robust_producer<Identity>>;
    const ringproof::scenarios::shared_page memory;
    ring_type ring(memory.map()), other(memory.map());
    std::thread slow([&] {
        const number value = 1;
        VERIFY_THAT(other.try_write(std::as_bytes(std::span(&value, 1))));
    });
    const auto first = ring.recover();
    if (!first.complete) ringproof::verify::cover("let be");
    slow.join();
    number delivered = 0;
    for ([[maybe_unused]] const auto record : ring.read()) ++delivered;
    RINGPROOF_HOLDS(count, delivered == 1 && first.records == 0);
}

/// T9. Symptom: a record is gone, or one of the lap before comes again. Cause: room is given back before its words are
/// zeroed. Source: Agrona's ManyToOneRingBuffer, which zeroes first, as does the core's ring, of which this is a variant.
struct zeroes_late : ringproof::shared {
    template <class Barriers>
    class consumer_side : public ringproof::shared::consumer_side<Barriers> {
      public:
        using ringproof::shared::consumer_side<Barriers>::consumer_side;
        void scrub(const ringproof::detail::record_area& area, number from, std::size_t size) const noexcept {
            if (size_ != 0) area.clear(from_, size_); // given back the last time
            from_ = from, size_ = size;
        }

      private:
        mutable number from_ = 0;
        mutable std::size_t size_ = 0;
    };
};
template <class Producer>
void zeroed_before_it_is_given_back() {
    ringproof::record_ring<Producer> ring{64};
    std::thread producer([&] {
        for (number i = 1; i <= 3; ++i) {
            const number body[3] = {i, i, i};
            while (!ring.try_write(std::as_bytes(std::span(body)))) ringproof::verify::pause();
        }
    });
    for (number last = 0; last != 3;) {
        const number before = last;
        for (const auto record : ring.read()) {
            const auto body = record.template as<std::array<number, 3>>();
            RINGPROOF_HOLDS(once, body && (*body)[0] == last + 1);
            ++last;
        }
        if (last == 3) ringproof::verify::cover("reuse");
        if (last == before) ringproof::verify::pause();
    }
    producer.join();
}

/// T10. Symptom: an empty ring that refuses for ever. Cause: a record needs room in one piece, and neither the end nor
/// the front has it. Source: why Agrona's longest message is an eighth of the ring.
template <number Longest>
void an_empty_ring_accepts() {
    const number size = 16, head = 10, tail = 10, record = Longest;
    const number to_the_end = size - tail % size;
    const number needed = record <= to_the_end ? record : to_the_end + record;
    RINGPROOF_HOLDS(live, needed <= size - (tail - head));
}

} // namespace

VERIFY("B1: the consumer's position alone makes room", .models = {sc}, .expect = refuted) {
    in_flight_is_not_room<false>();
}
VERIFY("B1, right: what is in flight is no room", .models = {rc11, sc}) { in_flight_is_not_room<true>(); }
VERIFY("B7: a consumer passes over a busy record", .models = {sc}, .expect = refuted) {
    the_first_busy_record_ends_a_batch<passes_over>();
}
VERIFY("B7, right: a consumer stops at the first busy record", .models = {rc11, sc}, .covers = {"held up"}) {
    the_first_busy_record_ends_a_batch<ringproof::robust_producer<one_of_the_living>>();
}
VERIFY("B10: a busy record is overwritten", .models = {rc11, sc}, .expect = refuted) {
    only_what_is_committed_is_overwritten<false>();
}
VERIFY("B10, right: what is overwritten is committed", .models = {rc11, sc}, .covers = {"busy"}) {
    only_what_is_committed_is_overwritten<true>();
}
VERIFY("T8: a slow producer is taken for dead", .models = {sc}, .expect = refuted) {
    the_slow_are_not_dead<time_is_no_proof>();
}
VERIFY("T8, right: only a dead producer's record is skipped", .models = {rc11, sc}, .covers = {"let be"}) {
    the_slow_are_not_dead<one_of_the_living>();
}
VERIFY("T9: room is given back and then zeroed", .models = {rc11, sc}, .expect = refuted) {
    zeroed_before_it_is_given_back<zeroes_late>();
}
VERIFY("T9, right: room is zeroed and then given back", .models = {rc11, sc}, .covers = {"reuse"}) {
    zeroed_before_it_is_given_back<ringproof::shared>();
}
VERIFY("T10: records may be as long as the ring", .models = {sc}, .expect = refuted) {
    an_empty_ring_accepts<12>();
}
VERIFY("T10, right: records may be half as long", .models = {rc11, sc}) { an_empty_ring_accepts<8>(); }
