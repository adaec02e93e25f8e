// SPDX-License-Identifier: Apache-2.0
// Positions. They run freely and are masked when they are used; all arithmetic is on differences, modulo the width of
// the word. Here the word has 8 bits, so that 2^64 is only 256 away, and the bugs of 32-bit positions show at once.

#include "property.hpp"

#include <atomic>
#include <cstdint>
#include <thread>

namespace {

using namespace ringproof::zoo;
using position = std::uint8_t;

constexpr unsigned capacity = 16;

unsigned distance(position to, position from) { return static_cast<position>(to - from); }

/// W21. Symptom: after 2^32 bytes the reader sees head before tail and stops, or reads for ever. Cause: private positions
/// of a machine word beside public ones of 64 bits; or a signed difference of 32 bits in the reader.
template <bool Mixed>
void the_reader_goes_on_over_the_wrap() {
    std::uint16_t tail = 0; // the reader's, wider than the writer's
    position head = 0;
    for (unsigned records = 0; records != 40; ++records) {
        head = static_cast<position>(head + 8);
        const std::uint64_t unread =
            Mixed ? std::uint64_t{head} - tail : distance(head, static_cast<position>(tail));
        RINGPROOF_HOLDS(live, unread == 8);
        tail = static_cast<std::uint16_t>(tail + 8);
    }
}

/// B4. Symptom: on 32-bit machines, after 4 GiB, the scan for finished records stops at once. Cause: positions are
/// compared by <, where their difference should be tested. Source: kernel/bpf/ringbuf.c, first form of the scan.
template <bool Difference>
void the_scan_reaches_what_is_reserved() {
    for (position pending = 224; pending != 32; pending = static_cast<position>(pending + 8)) {
        const auto reserved = static_cast<position>(pending + 8);
        const bool more = Difference ? distance(reserved, pending) != 0 : pending < reserved;
        RINGPROOF_HOLDS(live, more);
    }
}

/// B9. Symptom: a consumer that was fed for long enough reports a negative number of records. Cause: the count it returns
/// is an int. Source: libbpf, which counts in 64 bits since. Here the int has 8 bits.
template <class Count>
void the_consumer_counts() {
    Count delivered = 0;
    for (unsigned i = 0; i != 200; ++i) delivered = static_cast<Count>(delivered + 1);
    RINGPROOF_HOLDS(count, static_cast<long>(delivered) == 200);
}

/// A4. Symptom: an area of 2 GiB or more never has room, or is masked wrongly. Cause: pages << page_shift in an int.
/// Source: Linux 2017 (2ab346cfb0de), 2024 ("perf_aux_size > 32 bit", "default aux_watermark overflow"). Here the int
/// has 8 bits and the area 256 bytes.
template <class Size>
void an_area_has_room() {
    const unsigned pages = 64, page_shift = 2;
    const auto size = static_cast<Size>(pages << page_shift);
    RINGPROOF_HOLDS(live, size > 0 && static_cast<unsigned>(size) == pages << page_shift);
}

/// W19. No bug here: all of the capacity is used. Perf leaves one byte free, since empty and full are the same when
/// positions are compared masked. Free-running positions tell them apart, so for this project it is equivalent.
template <bool Masked>
void full_is_not_empty() {
    position head = 250, tail = 250;
    for (unsigned i = 0; i != 2 * capacity; ++i) {
        const auto seen_empty = [&] { return Masked ? head % capacity == tail % capacity : head == tail; };
        RINGPROOF_HOLDS(live, seen_empty() == (distance(head, tail) == 0));
        if (distance(head, tail) + 8 <= capacity)
            head = static_cast<position>(head + 8);
        else
            tail = static_cast<position>(tail + 8);
    }
}

/// W23. Two writers reserve by compare-exchange. What they may remember over a failed try: an old tail is safe, for tail
/// only grows, and an old one only refuses too much. The position to reserve from is not.
enum class remembers { nothing, old_tail, old_position };
template <remembers Remembers>
void two_reserve() {
    std::atomic<unsigned> head{0}, tail{0};
    unsigned char owner[2 * capacity] = {};
    const auto reserve = [&](unsigned char me) {
        unsigned old = head.load(std::memory_order_relaxed);
        const unsigned first_seen = old;
        unsigned known = tail.load(std::memory_order_acquire), next = 0;
        do {
            if (Remembers != remembers::old_tail) known = tail.load(std::memory_order_acquire);
            if (old + 8 - known > capacity) return;
            if (old != first_seen) ringproof::verify::cover("tried again");
            next = (Remembers == remembers::old_position ? first_seen : old) + 8;
        } while (!head.compare_exchange_strong(old, next, std::memory_order_relaxed));
        for (unsigned i = next - 8; i != next; ++i) owner[i] = me; // a race if it is not ours alone
    };
    std::thread other([&] { reserve(2); }), consumer([&] { tail.store(8, std::memory_order_release); });
    reserve(1);
    other.join();
    consumer.join();
    RINGPROOF_HOLDS(intact, owner[0] != owner[8] || owner[0] == 0);
}

} // namespace

VERIFY("W19, equivalent: all of the capacity is used, positions run freely", .models = {rc11, sc}) {
    full_is_not_empty<false>();
}
VERIFY("W19: all of the capacity is used, and positions are compared masked", .models = {sc},
       .expect = refuted) {
    full_is_not_empty<true>();
}
VERIFY("W21: positions of two widths meet in one difference", .models = {sc}, .expect = refuted) {
    the_reader_goes_on_over_the_wrap<true>();
}
VERIFY("W21, right: differences are taken in the width of the narrower", .models = {rc11, sc}) {
    the_reader_goes_on_over_the_wrap<false>();
}
VERIFY("W23, equivalent: an old tail is remembered over failed tries", .models = {rc11, sc},
       .covers = {"tried again"}) {
    two_reserve<remembers::old_tail>();
}
VERIFY("W23: an old position is remembered over failed tries", .models = {sc}, .expect = refuted) {
    two_reserve<remembers::old_position>();
}
VERIFY("W23, right: both are loaded again for each try", .models = {rc11, sc}, .covers = {"tried again"}) {
    two_reserve<remembers::nothing>();
}
VERIFY("B4: positions are compared, not subtracted", .models = {sc}, .expect = refuted) {
    the_scan_reaches_what_is_reserved<false>();
}
VERIFY("B4, right: the difference is tested", .models = {rc11, sc}) {
    the_scan_reaches_what_is_reserved<true>();
}
VERIFY("B9: records are counted in too narrow an integer", .models = {sc}, .expect = refuted) {
    the_consumer_counts<std::int8_t>();
}
VERIFY("B9, right: records are counted in a wide one", .models = {rc11, sc}) {
    the_consumer_counts<std::int64_t>();
}
VERIFY("A4: the size of an area is computed in too narrow an integer", .models = {sc}, .expect = refuted) {
    an_area_has_room<std::int8_t>();
}
VERIFY("A4, right: the size of an area is computed in a wide one", .models = {rc11, sc}) {
    an_area_has_room<std::int64_t>();
}
