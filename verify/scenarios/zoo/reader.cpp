// SPDX-License-Identifier: Apache-2.0
// The reader. It has one position of its own, and most of its bugs are about what that position means: up to where has
// been looked, delivered, used, given back? Records here are their own numbers, so the third record is 3.

#include "property.hpp"

#include <ringproof/record_ring.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <thread>

namespace {

using namespace ringproof::zoo;

/// R23. Symptom: after a busy second every record of a whole ring is there twice. Cause: one drain loads head twice; it
/// delivers up to the second and remembers the first. Source: tools/perf 6.1, reproduced with the unmodified program:
/// 1,000 to 3,000 duplicated samples in 4 seconds.
template <bool Remembered>
void each_record_is_delivered_once() {
    std::atomic<unsigned> head{0};
    std::thread producer([&] {
        for (unsigned i = 1; i <= 2; ++i) head.store(i, std::memory_order_release);
    });
    unsigned previous = 0, delivered = 0;
    for (int drain = 0; drain != 2; ++drain) {
        const unsigned early = head.load(std::memory_order_acquire);
        const unsigned end = head.load(std::memory_order_acquire);
        for (unsigned record = previous + 1; record <= end; ++record)
            RINGPROOF_HOLDS(once, record == ++delivered);
        if (end != early) ringproof::verify::cover("head moved between the loads");
        previous = Remembered ? end : early;
    }
    producer.join();
}

/// R24. Symptom: a snapshot repeats what the last one had (a), or leaves out what was written during the last one, which
/// nobody counts (b). Cause: where the next snapshot begins is forgotten, or taken from head again after the walk.
/// Source: tools/perf, several fixes from 2016 to 2018.
enum class begins { where_the_walk_ended, at_zero, at_a_later_head };
template <begins Begins>
void snapshots_join() {
    std::atomic<unsigned> head{1};
    std::thread producer([&] {
        head.store(2, std::memory_order_release);
        head.store(3, std::memory_order_release);
    });
    unsigned since = 0, delivered = 0;
    const auto take = [&] {
        const unsigned end = head.load(std::memory_order_acquire);
        for (unsigned record = since + 1; record <= end; ++record) {
            RINGPROOF_HOLDS(once, record > delivered);
            RINGPROOF_HOLDS(count, record == delivered + 1);
            delivered = record;
        }
        since = Begins == begins::at_zero                ? 0
                : Begins == begins::where_the_walk_ended ? end
                                                         : head.load(std::memory_order_acquire);
    };
    take();
    if (delivered == 2) ringproof::verify::cover("written meanwhile");
    producer.join();
    take();
    RINGPROOF_HOLDS(count, delivered == 3);
}

/// R27. Symptom: a record changes while it is used. Cause: it is given back when it is returned, not when the next one is
/// asked for. Source: tools/perf until 2013, and its Python binding. The ring is the core's, which gives back when the
/// batch ends; release() does so earlier.
template <bool TooEarly>
void a_record_is_used_before_it_is_given_back() {
    ringproof::record_ring<> ring{64};
    const auto write = [&](std::uint64_t number) {
        const std::uint64_t body[7] = {number};
        return ring.try_write(std::as_bytes(std::span(body)));
    };
    static_cast<void>(write(1));
    std::thread producer([&] {
        while (!write(2)) ringproof::verify::pause();
    });
    {
        auto batch = ring.read();
        const auto record = *batch.begin();
        if (TooEarly) batch.release();
        const auto body = record.as<std::array<std::uint64_t, 7>>();
        RINGPROOF_HOLDS(intact, body && (*body)[0] == 1);
    }
    producer.join();
}

/// R29. Symptom: records are missing and no number says so. Cause: after an error the reader sets tail to head, and does
/// not count what it skipped.
template <bool Counted>
void what_is_skipped_is_counted() {
    const unsigned head = 5, damaged = 3;
    unsigned tail = 0, delivered = 0, skipped = 0;
    while (tail != head) {
        if (tail + 1 == damaged) {
            if (Counted) skipped += head - tail;
            tail = head;
        } else {
            ++tail, ++delivered;
        }
    }
    RINGPROOF_HOLDS(count, delivered + skipped == head);
}

/// R22. Symptom: half a record in the snapshot of a paused ring. Cause: pausing stores a flag; a writer that looked at it
/// before is still at work, on another CPU. Source: PERF_EVENT_IOC_PAUSE_OUTPUT as it is. The remedy waits until no
/// writer is inside; each side stores and then looks, so that takes a full fence on both.
template <bool WaitsForTheWriter>
void a_paused_ring_is_at_rest() {
    std::atomic<bool> paused{false}, inside{false};
    int first = 0, second = 0;
    std::thread writer([&] {
        inside.store(true);
        if (!paused.load())
            first = 1, second = 1;
        else
            ringproof::verify::cover("turned away");
        inside.store(false);
    });
    paused.store(true);
    if (WaitsForTheWriter)
        while (inside.load()) {
            ringproof::verify::cover("waited");
            ringproof::verify::pause();
        }
    RINGPROOF_HOLDS(intact, first == second);
    writer.join();
}

} // namespace

VERIFY("R22: a paused ring is read while a writer is still in it", .models = {rc11, sc}, .expect = refuted) {
    a_paused_ring_is_at_rest<false>();
}
VERIFY("R22, right: the reader waits until no writer is inside", .models = {rc11, tso, sc},
       .covers = {"turned away", "waited"}) {
    a_paused_ring_is_at_rest<true>();
}
VERIFY("R23: a drain loads head twice and remembers the first", .models = {sc}, .expect = refuted) {
    each_record_is_delivered_once<false>();
}
VERIFY("R23, right: a drain remembers up to where it has delivered", .models = {rc11, sc},
       .covers = {"head moved between the loads"}) {
    each_record_is_delivered_once<true>();
}
VERIFY("R24a: a snapshot forgets where the last one ended", .models = {sc}, .expect = refuted) {
    snapshots_join<begins::at_zero>();
}
VERIFY("R24b: a snapshot begins at a head that was loaded after the last walk", .models = {sc},
       .expect = refuted) {
    snapshots_join<begins::at_a_later_head>();
}
VERIFY("R24, right: a snapshot begins where the last walk ended", .models = {rc11, sc},
       .covers = {"written meanwhile"}) {
    snapshots_join<begins::where_the_walk_ended>();
}
VERIFY("R27: a record is given back before it is used", .models = {rc11, sc}, .expect = refuted) {
    a_record_is_used_before_it_is_given_back<true>();
}
VERIFY("R27, right: a record is used before it is given back", .models = {rc11, sc}) {
    a_record_is_used_before_it_is_given_back<false>();
}
VERIFY("R29: what is skipped after an error is not counted", .models = {sc}, .expect = refuted) {
    what_is_skipped_is_counted<false>();
}
VERIFY("R29, right: what is skipped after an error is counted", .models = {rc11, sc}) {
    what_is_skipped_is_counted<true>();
}
