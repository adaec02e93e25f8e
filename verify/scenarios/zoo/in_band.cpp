// SPDX-License-Identifier: Apache-2.0
// Rings of many producers: BPF's, with a mark in each header, and Aeron's, with a length. (LTTng's sub-buffers and
// ftrace's pages are other structures.)

#include "property.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <thread>

namespace {

using namespace ringproof::zoo;
using number = std::uint64_t;

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

/// B7. Symptom: records out of order, and one that is never read. Cause: a consumer passes over a record in the making.
template <bool Waits>
void the_first_busy_record_ends_a_batch() {
    std::array<std::atomic<int>, 2> records{}; // 0: in the making
    std::thread slow([&] { records[0].store(1, std::memory_order_release); });
    records[1].store(2, std::memory_order_release);
    int last = 0;
    for (auto& record : records) {
        const int value = record.load(std::memory_order_acquire);
        if (value == 0) {
            if (Waits) break;
            continue;
        }
        RINGPROOF_HOLDS(once, value == last + 1);
        last = value;
    }
    slow.join();
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
    if (!AsksForCommit || !busy.load(std::memory_order_acquire)) slot = 2;
    slow.join();
    RINGPROOF_HOLDS(intact, slot != 0);
}

/// T8. Symptom: a record inside what was skipped. Cause: a producer that was only slow was taken for dead. Source:
/// Aeron's unblock.
template <bool OnlyTheDead>
void the_slow_are_not_dead() {
    constexpr int padding = -1;
    std::atomic<int> length{0};
    std::atomic<bool> dead{false};
    std::thread slow([&] { length.store(5, std::memory_order_release); });
    bool skipped = false;
    if (length.load(std::memory_order_acquire) == 0 &&
        (!OnlyTheDead || dead.load(std::memory_order_relaxed))) {
        length.store(padding, std::memory_order_release);
        skipped = true;
    }
    slow.join();
    RINGPROOF_HOLDS(intact, !skipped || length.load(std::memory_order_relaxed) == padding);
}

/// T9. Symptom: a record is gone, or one of the lap before comes again. Cause: a slot is given back before its length is
/// zeroed. Source: Agrona's ManyToOneRingBuffer, which zeroes first.
template <bool ZeroesFirst>
void zeroed_before_it_is_given_back() {
    std::atomic<int> length{5};
    std::atomic<number> head{0};
    std::thread producer([&] {
        while (head.load(std::memory_order_acquire) == 0) ringproof::verify::pause();
        length.store(7, std::memory_order_release);
    });
    if (ZeroesFirst) length.store(0, std::memory_order_relaxed);
    head.store(1, std::memory_order_release);
    if (!ZeroesFirst) length.store(0, std::memory_order_relaxed);
    producer.join();
    RINGPROOF_HOLDS(whole, length.load(std::memory_order_relaxed) == 7);
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
    the_first_busy_record_ends_a_batch<false>();
}
VERIFY("B7, right: a consumer stops at the first busy record", .models = {rc11, sc}) {
    the_first_busy_record_ends_a_batch<true>();
}
VERIFY("B10: a busy record is overwritten", .models = {rc11, sc}, .expect = refuted) {
    only_what_is_committed_is_overwritten<false>();
}
VERIFY("B10, right: what is overwritten is committed", .models = {rc11, sc}) {
    only_what_is_committed_is_overwritten<true>();
}
VERIFY("T8: a slow producer is taken for dead", .models = {sc}, .expect = refuted) {
    the_slow_are_not_dead<false>();
}
VERIFY("T8, right: only a dead producer's record is skipped", .models = {rc11, sc}) {
    the_slow_are_not_dead<true>();
}
VERIFY("T9: a slot is given back and then zeroed", .models = {sc}, .expect = refuted) {
    zeroed_before_it_is_given_back<false>();
}
VERIFY("T9, right: a slot is zeroed and then given back", .models = {rc11, sc}) {
    zeroed_before_it_is_given_back<true>();
}
VERIFY("T10: records may be as long as the ring", .models = {sc}, .expect = refuted) {
    an_empty_ring_accepts<12>();
}
VERIFY("T10, right: records may be half as long", .models = {rc11, sc}) { an_empty_ring_accepts<8>(); }
