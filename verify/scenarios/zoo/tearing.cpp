// SPDX-License-Identifier: Apache-2.0
// Tearing. A position is one number; code that reads or writes it in pieces, or twice, works with numbers that never
// were. Plain accesses allow the compiler to do just that, so Linux accesses the user page by READ_ONCE and WRITE_ONCE
// "always" since 2019 (4d839dd9e435); 32-bit machines have to do it in halves.

#include "property.hpp"

#include <atomic>
#include <cstdint>
#include <thread>

namespace {

using namespace ringproof::zoo;

constexpr std::uint64_t before = 0xffff'fff0, after = 0x1'0000'0010; ///< a step over 2^32

/// W6a. Symptom: the consumer computes a size of 4 GiB. Cause: head is stored as two words of 32 bits.
/// T4 is the same of the time stamps of ftrace on 32-bit machines.
struct in_one_piece {
    std::atomic<std::uint64_t> word{before};
    void store(std::uint64_t value) { word.store(value, std::memory_order_release); }
    std::uint64_t load() const { return word.load(std::memory_order_acquire); }
};
struct in_two_halves {
    std::atomic<std::uint32_t> low{static_cast<std::uint32_t>(before)}, high{before >> 32};
    void store(std::uint64_t value) {
        low.store(static_cast<std::uint32_t>(value), std::memory_order_release);
        high.store(static_cast<std::uint32_t>(value >> 32), std::memory_order_release);
    }
    std::uint64_t load() const {
        const std::uint64_t upper = high.load(std::memory_order_acquire);
        return upper << 32 | low.load(std::memory_order_acquire);
    }
};

template <class Word>
void a_position_is_one_that_was_stored() {
    Word head;
    std::thread producer([&] { head.store(after); });
    const std::uint64_t seen = head.load();
    if (seen == after) ringproof::verify::cover("new");
    RINGPROOF_HOLDS(bounds, seen == before || seen == after);
    producer.join();
}

/// A16. Symptom and cause as W6a, but the writer is a 64-bit kernel and the reader a 32-bit perf: it loads the halves of
/// aux_head one by one. Source: Linux 2021, "compat" readers. The remedy there: the high half, the low half, the high half
/// again, until both high halves agree. (Each load here takes all 64 bits, of which the reader uses its half.)
std::uint64_t low_half(const std::atomic<std::uint64_t>& word) {
    return word.load(std::memory_order_acquire) & 0xffff'ffff;
}
std::uint64_t high_half(const std::atomic<std::uint64_t>& word) {
    return word.load(std::memory_order_acquire) & ~std::uint64_t{0xffff'ffff};
}
template <bool Again>
void a_32_bit_reader() {
    std::atomic<std::uint64_t> head{before};
    std::thread kernel([&] { head.store(after, std::memory_order_release); });
    std::uint64_t high = high_half(head), low = low_half(head);
    if (Again)
        for (std::uint64_t now = high_half(head); now != high; now = high_half(head)) {
            high = now;
            low = low_half(head);
            ringproof::verify::cover("looked again");
        }
    RINGPROOF_HOLDS(bounds, (high | low) == before || (high | low) == after);
    kernel.join();
}

/// W6b. Symptom: a producer writes over what nobody has read, or beyond its area, when tail is written by somebody hostile.
/// Cause: tail is looked at twice, checked the first time and used the second; a compiler may do so with a plain access.
template <bool Twice>
void tail_is_what_was_checked() {
    constexpr std::uint64_t capacity = 4, head = 4;
    std::atomic<std::uint64_t> tail{2};
    std::thread hostile([&] { tail.store(~std::uint64_t{0} / 2, std::memory_order_relaxed); });
    const std::uint64_t seen = tail.load(std::memory_order_acquire);
    if (seen != 2) ringproof::verify::cover("hostile");
    if (head - seen <= capacity) {
        const std::uint64_t used = Twice ? tail.load(std::memory_order_acquire) : seen;
        RINGPROOF_HOLDS(bounds, capacity - (head - used) <= capacity);
    }
    hostile.join();
}

} // namespace

VERIFY("W6a: head is stored in two halves (T4: so is a time stamp)", .models = {sc}, .expect = refuted) {
    a_position_is_one_that_was_stored<in_two_halves>();
}
VERIFY("W6a, right: head is stored in one piece", .models = {rc11, sc}, .covers = {"new"}) {
    a_position_is_one_that_was_stored<in_one_piece>();
}
VERIFY("W6b: tail is loaded again after it was checked", .models = {sc}, .expect = refuted) {
    tail_is_what_was_checked<true>();
}
VERIFY("W6b, right: the tail that was checked is the one that is used", .models = {rc11, sc},
       .covers = {"hostile"}) {
    tail_is_what_was_checked<false>();
}
VERIFY("A16: a 32-bit reader takes a head of 64 bits in two loads", .models = {sc}, .expect = refuted) {
    a_32_bit_reader<false>();
}
VERIFY("A16, right: the high half is looked at again", .models = {rc11, sc}, .covers = {"looked again"}) {
    a_32_bit_reader<true>();
}
