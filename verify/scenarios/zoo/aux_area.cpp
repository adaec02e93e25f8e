// SPDX-License-Identifier: Apache-2.0
// The AUX area: trace that hardware writes, beside the ring that says where it is. Sources: kernel/events/ring_buffer.c
// (perf_aux_output_begin and _end), drivers/hwtracing/coresight, arch/powerpc/platforms/pseries/vpa-dtl.c.

#include "../ring/sleeper.hpp"
#include "property.hpp"

#include <ringproof/aux/aux_area.hpp>
#include <ringproof/record_ring.hpp>
#include <ringproof/verify/interrupt.hpp>
#include <ringproof/wake/watermark.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <span>
#include <thread>

namespace {

using namespace ringproof::zoo;
using number = std::uint64_t;

number own(const std::atomic<number>& c) { return c.load(std::memory_order_relaxed); }
void set_own(std::atomic<number>& c, number to) { c.store(to, std::memory_order_relaxed); }

/// A1. Symptom: stale bytes at the end of a trace. Cause: nothing orders the trace before aux_head; that is the driver's
/// duty. Source: Linux 26701ceb4c2c (2021, ETR). The area is the core's.
struct head_relaxed : ringproof::acquire_release {
    static void publish_head(std::atomic<position>& head, position value) noexcept { set_own(head, value); }
};
template <class Barriers>
void trace_comes_before_its_head() {
    ringproof::record_ring<ringproof::single, Barriers> ring(64);
    ringproof::aux_area aux(ring, 64);
    std::thread driver([&] {
        constexpr std::array trace{std::byte{7}};
        aux.begin().append(std::span(trace));
    });
    for (const std::byte one : aux.read().bytes().first) {
        RINGPROOF_HOLDS(intact, one == std::byte{7});
        ringproof::verify::cover("trace seen");
    }
    driver.join();
}

/// R30. Symptom: a reader sleeps, and the source has stopped for ever. Cause: the area is read before the ring: the stop
/// comes in between, and draining the ring takes back the wake-up that told of it. (In perf the bytes that a record is
/// about may not be among those that were copied.) The area and its wake-up are the core's.
template <bool RingFirst>
void first_the_ring_then_the_area() {
    using ring_type =
        ringproof::record_ring<ringproof::single, ringproof::acquire_release, ringproof::refuse,
                               ringproof::padded, ringproof::watermark<ringproof::scenarios::watched_flag>>;
    constexpr std::size_t total = 64; // of which 63 fit
    ring_type ring(ringproof::ring_memory::heap(64), {0, 0, 32});
    ringproof::aux_area aux(ring, 64, {0, 8});
    std::thread source([&] {
        const std::array<std::byte, total> trace{};
        for (std::size_t done = 0; done != total;) {
            if (auto room = aux.begin())
                done += room.append(std::span(trace).subspan(done));
            else
                aux.wait_for_restart();
        }
    });
    for (std::size_t read = 0; read != total;) {
        ring.wait();
        const auto drain = [&] {
            for ([[maybe_unused]] const auto record : ring.read()) {
            }
        };
        if (RingFirst) drain();
        read += aux.read().size();
        if (!RingFirst) drain();
    }
    source.join();
}

/// A2. Symptom: after one long transaction every short one wakes. Cause: the stamp follows by one watermark only. Source:
/// Linux d9a50b0256f0 (2017).
template <bool RoundsDown>
void one_wake_for_each_crossing() {
    const number watermark = 4;
    number head = 0, stamp = 0, wakes = 0;
    for (const number size : {13u, 1u, 1u, 1u}) {
        head += size;
        if (head - stamp < watermark) continue;
        stamp = RoundsDown ? head / watermark * watermark : stamp + watermark;
        ++wakes;
    }
    RINGPROOF_HOLDS(sparing, wakes == 2); // at 13 and at 16
}

/// A3. Symptom: a loop without end. Cause: snapshot mode has no watermark, and a stamp that moves by nothing never
/// arrives. Source: Linux 441430eb54a0 (2017).
template <bool InSnapshots>
void a_stamp_arrives() {
    const number watermark = 0, head = 5;
    number stamp = 0, rounds = 0;
    while ((watermark != 0 || InSnapshots) && head - stamp >= watermark) {
        stamp += watermark;
        RINGPROOF_HOLDS(live, ++rounds < 10);
    }
}

/// A5. Symptom: two transactions write the same bytes. Cause: an interrupt begins one while one is open. Source: aux_nest.
template <bool Guarded>
void transactions_do_not_nest() {
    std::atomic<number> open{0}, head{0}, done{0};
    const auto transaction = [&] {
        if (Guarded && open.exchange(1, std::memory_order_relaxed) != 0)
            return ringproof::verify::cover("refused");
        const number at = own(head);
        done.fetch_add(1, std::memory_order_relaxed);
        set_own(head, at + 1);
        if (Guarded) set_own(open, 0);
    };
    {
        const ringproof::verify::interrupt irq(transaction);
        transaction();
    }
    RINGPROOF_HOLDS(intact, own(head) == own(done));
}

/// A7. Symptom: each snapshot after the first shows the first. Cause: TRUNCATED is set, which disables the event. Source:
/// the comment in the CoreSight driver.
template <bool SaysTruncated>
void snapshots_are_new() {
    bool enabled = true;
    int newest = 0;
    for (int now = 1; now <= 2; ++now) {
        if (enabled) newest = now;
        RINGPROOF_HOLDS(fresh, newest == now);
        if (SaysTruncated) enabled = false;
    }
}

/// A8. Symptom: losses in the data ring. Cause: each time that a task is scheduled an AUX record of no bytes is written.
/// Source: Linux 1627314fb54a (2017).
template <bool Always>
void records_have_something_to_say() {
    const unsigned overwrite = 2; // only says how to read the others
    number records = 0;
    for (const auto& [size, flags] : {std::pair{0u, overwrite}, std::pair{8u, 0u}, std::pair{0u, 0u}})
        if (Always || size != 0 || (flags & ~overwrite) != 0) ++records;
    RINGPROOF_HOLDS(sparing, records == 1);
}

/// A9. Symptom: unread trace is overwritten, and later no transaction is granted any more. Cause: the driver copies all
/// that it has, not what was granted. Source: derived from vpa-dtl as first posted.
template <bool HeedsGrant>
void no_more_than_granted() {
    const number size = 8, head = 6, tail = 0, has = 5;
    const number granted = (tail - (head + 1)) % size;
    const number copied = HeedsGrant ? std::min(has, granted) : has;
    RINGPROOF_HOLDS(bounds, head + copied - tail < size);
}

/// A10. Symptom: a trace whose parts are in the wrong place after its first lap. Cause: the driver has an index of its
/// own, that goes around where a whole entry no longer fits; head goes around at the area's end. Source: derived from
/// vpa-dtl.
template <bool FromHead>
void one_index() {
    constexpr number size = 8, entry = 3;
    std::array<number, size> area{};
    number index = 0, head = 0;
    for (number n = 1; n <= 3; ++n) {
        if (!FromHead && index + entry > size) index = 0;
        const number at = FromHead ? head : index;
        for (number i = 0; i < entry; ++i) area[(at + i) % size] = n;
        index += entry;
        head += entry;
    }
    for (number i = 0; i < entry; ++i) RINGPROOF_HOLDS(intact, area[(head - entry + i) % size] == 3);
}

/// A11. Symptom: entries are missing, and nothing says so. Cause: the source's index moves on before there is room for
/// what it passes. Source: derived from vpa-dtl.
template <bool RoomFirst>
void nothing_is_passed_over() {
    number source = 0, copied = 0, room = 0;
    const auto drain = [&] {
        if (!RoomFirst) {
            source += 2;
            if (room >= 2) copied += 2;
        } else if (room >= 2) {
            source += 2;
            copied += 2;
        }
    };
    drain(); // no room
    room = 4;
    drain();
    RINGPROOF_HOLDS(count, copied == source);
}

/// A12. Symptom: a decoder goes on over a gap. Cause: the packet that marks the gap stands where the hardware's buffer
/// begins, not where the copy does. Source: the ETR driver before December 2020.
template <bool WhereTheCopyBegins>
void a_gap_is_marked() {
    constexpr unsigned marker = 99;
    std::array<unsigned, 8> buffer{1, 2, 3, 4, 5, 6, 7, 8};
    const std::size_t room = 4, offset = buffer.size() - room;
    buffer[WhereTheCopyBegins ? offset : 0] = marker;
    RINGPROOF_HOLDS(intact, buffer[offset] == marker);
}

/// A13. Symptom: one trace is exported several times. Cause: each of the tracers of a sink copies when it stops. Source:
/// CoreSight's N:1 sinks: only the last one may.
template <bool OnlyTheLast>
void the_last_one_copies() {
    std::atomic<int> tracers{2}, copies{0};
    const auto stop = [&] {
        const bool last = tracers.fetch_sub(1, std::memory_order_acq_rel) == 1;
        if (last || !OnlyTheLast) copies.fetch_add(1, std::memory_order_relaxed);
        return last;
    };
    std::thread other(stop);
    if (!stop()) ringproof::verify::cover("the other was last");
    other.join();
    RINGPROOF_HOLDS(once, copies.load(std::memory_order_relaxed) == 1);
}

/// A14. Symptom: each snapshot has all of the area, old trace included. Cause: a head that runs freely is taken for an
/// offset that has gone around. Source: the CoreSight tool's fix-up, removed in 2021.
template <bool AsOffset>
void a_snapshot_begins_where_the_last_ended() {
    const number size = 16, before = 20, now = 22;
    const number exported = AsOffset && now >= size ? size : std::min(now - before, size);
    RINGPROOF_HOLDS(once, exported == 2);
}

/// A15. Symptom: only the first part of an area is exported. Cause: whether it has gone around is guessed from its last
/// bytes being zero, and trace may be zero. Source: the CoreSight tool.
template <bool Guesses>
void zeros_are_trace() {
    const std::array<unsigned, 8> area{9, 9, 1, 2, 3, 0, 0, 0};
    const number head = 10; // has gone around
    const bool around = Guesses ? area[6] != 0 || area[7] != 0 : head > area.size();
    RINGPROOF_HOLDS(count, (around ? area.size() : head % area.size()) == area.size());
}

/// A17. Symptom: an area that is full looks empty. Cause: all of it was granted, and positions are compared masked.
template <number Kept>
void full_is_not_empty() {
    const number size = 8, tail = 0, head = size - Kept;
    RINGPROOF_HOLDS(live, (head - tail) % size != 0);
}

/// A18. Symptom: a sample with parts of another. Cause: a non-maskable interrupt samples while the area is copied for a
/// sample. Source: the flag that perf_aux_sample has for it.
template <bool Flagged>
void samples_do_not_mix() {
    std::atomic<number> busy{0}, first{0}, second{0};
    const auto sample = [&](number who) {
        if (Flagged && busy.exchange(1, std::memory_order_relaxed) != 0)
            return ringproof::verify::cover("of no bytes");
        set_own(first, who);
        set_own(second, who);
        if (Flagged) set_own(busy, 0);
    };
    const ringproof::verify::interrupt nmi([&] { sample(2); });
    sample(1);
    const ringproof::verify::no_interrupts reading;
    RINGPROOF_HOLDS(intact, own(first) == own(second));
}

} // namespace

/// What follows is what an execution of the right one must have met.
#define RINGPROOF_PAIR(bad_name, good_name, function, bad, good, ...)                                        \
    VERIFY(bad_name, .models = {sc}, .expect = refuted) { function<bad>(); }                                 \
    VERIFY(good_name, .models = {rc11, sc}, .covers = {__VA_ARGS__}) { function<good>(); }

VERIFY("A1: aux_head is published relaxed", .models = {rc11}, .expect = refuted) {
    trace_comes_before_its_head<head_relaxed>();
}
VERIFY("A1, right: aux_head is published behind the trace", .models = {rc11, tso, sc},
       .covers = {"trace seen"}) {
    trace_comes_before_its_head<ringproof::acquire_release>();
}
VERIFY("R30: the area is read before the ring", .models = {sc}, .expect = refuted) {
    first_the_ring_then_the_area<false>();
}
VERIFY("R30, right: the ring is read before the area", .models = {sc}, .covers = {"slept"}) {
    first_the_ring_then_the_area<true>();
}
RINGPROOF_PAIR("A2: a stamp moves by one watermark only", "A2, right: a stamp is rounded down from head",
               one_wake_for_each_crossing, false, true)
RINGPROOF_PAIR("A3: a snapshot has a stamp that moves by nothing", "A3, right: a snapshot has no stamp",
               a_stamp_arrives, true, false)
RINGPROOF_PAIR("A5: an interrupt begins a second transaction", "A5, right: a second transaction is refused",
               transactions_do_not_nest, false, true, "refused")
RINGPROOF_PAIR("A7: a snapshot says that it is truncated", "A7, right: a snapshot never says so",
               snapshots_are_new, true, false)
RINGPROOF_PAIR("A8: each transaction has a record", "A8, right: a record has bytes or something to say",
               records_have_something_to_say, true, false)
RINGPROOF_PAIR("A9: a driver does not heed what was granted", "A9, right: a driver copies what was granted",
               no_more_than_granted, false, true)
RINGPROOF_PAIR("A10: a driver has an index of its own", "A10, right: a driver writes where head is",
               one_index, false, true)
RINGPROOF_PAIR("A11: the source goes on before there is room", "A11, right: the source goes on with its copy",
               nothing_is_passed_over, false, true)
RINGPROOF_PAIR("A12: a gap is marked in front of what is copied",
               "A12, right: a gap is marked where the copy begins", a_gap_is_marked, false, true)
RINGPROOF_PAIR("A13: every tracer of a sink copies", "A13, right: the last tracer copies",
               the_last_one_copies, false, true, "the other was last")
RINGPROOF_PAIR("A14: a head that runs freely is taken for an offset",
               "A14, right: a difference of heads is exported", a_snapshot_begins_where_the_last_ended, true,
               false)
RINGPROOF_PAIR("A15: zeros are taken for room never used", "A15, right: head says whether it has gone around",
               zeros_are_trace, true, false)
RINGPROOF_PAIR("A17: all of an area is granted", "A17, right: one byte stays free", full_is_not_empty, 0, 1)
RINGPROOF_PAIR("A18: a sample comes into a sample", "A18, right: a sample that comes into one has no bytes",
               samples_do_not_mix, false, true, "of no bytes")
