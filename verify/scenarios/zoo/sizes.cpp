// SPDX-License-Identifier: Apache-2.0
// Sizes. What was granted is a number of bytes, and everybody has to keep to it: who writes, who copies, who steps from
// one record to the next. One thread is enough for most of these; the sequential tests and the fuzzer of the core look
// for them as well.

#include "property.hpp"

#include <ringproof/record_ring.hpp>
#include <ringproof/recorder.hpp>

#include <array>
#include <cstdint>
#include <cstring>

namespace {

using namespace ringproof::zoo;

/// W18. Symptom: the next record is garbage. Cause: a writer emits more than it reserved. Source: CVE-2023-6931
/// (382c27f4ed28), where a group's size was computed once and grew later. The ring here is the core's; its copy_from
/// stays inside the reservation, and a raw pointer does not.
template <bool Raw>
void the_next_record_is_intact() {
    ringproof::record_ring<ringproof::nested> ring{128};
    const std::uint64_t too_much[3] = {1, 1, 1}, inner = 2;
    {
        auto outer = ring.try_begin(8);
        static_cast<void>(ring.try_write(std::as_bytes(std::span(&inner, 1))));
        if (Raw)
            std::memcpy(outer.bytes().first.data(), too_much, sizeof too_much);
        else
            outer.copy_from(std::as_bytes(std::span(too_much)));
    }
    unsigned seen = 0;
    for (const auto record : ring.read())
        RINGPROOF_HOLDS(intact, record.template as<std::uint64_t>() == ++seen);
    RINGPROOF_HOLDS(intact, seen == 2);
}

/// W20. Symptom: a record whose beginning is its own end. Cause: in overwrite mode nothing compares a record's size with
/// the ring's. Source: kernel/events/ring_buffer.c, read, not reported. The core refuses such a record.
template <bool Checked>
void a_record_does_not_overlap_itself() {
    std::array<std::uint64_t, 4> area{};
    const auto write = [&](std::size_t words) {
        if (Checked && words > area.size()) return false;
        for (std::size_t i = 0; i != words; ++i) area[i % area.size()] = i;
        return true;
    };
    if (write(6))
        for (std::size_t i = 0; i != area.size(); ++i) RINGPROOF_HOLDS(intact, area[i] == i);
}
void the_recorder_refuses_what_would_overlap() {
    ringproof::recorder<> recorder{64};
    const std::array<std::byte, 64> large{};
    RINGPROOF_HOLDS(bounds, !recorder.write(large));
    RINGPROOF_HOLDS(count, recorder.lost() == 1);
}

/// W22. Symptom: a write beyond the end of a page, when a record ends exactly there. Cause: the cursor goes on to the next
/// page only when it is past the end, not when it is at it; or it is masked with a number of pages that is no power of two.
template <bool AtTheEnd>
void copies_stay_in_their_pages() {
    constexpr std::size_t page_words = 4, page_count = 2;
    std::uint64_t pages[page_count][page_words] = {};
    std::size_t page = 0, offset = 0;
    const auto output = [&](std::uint64_t word) {
        RINGPROOF_HOLDS(bounds, offset < page_words);
        pages[page][offset++] = word;
        if (AtTheEnd ? offset == page_words : offset > page_words) {
            offset = 0;
            page = (page + 1) & (page_count - 1);
        }
    };
    for (std::uint64_t word = 1; word <= 6; ++word) output(word);
    RINGPROOF_HOLDS(intact, pages[1][1] == 6);
}

/// R28. Symptom: the reader stands still for ever. Cause: a size of 0, or one beyond what is there, ends the reading
/// round, and every round after it. Source: perf's own reader. The core says what is wrong and can go on from head.
template <bool GoesOn>
void a_damaged_size_does_not_hold_up() {
    ringproof::record_ring<> ring{64};
    const std::uint64_t one = 1, two = 2;
    static_cast<void>(ring.try_write(std::as_bytes(std::span(&one, 1))));
    *reinterpret_cast<std::uint64_t*>(ring.memory().data()) = 0; // what a stray write does
    for (const auto record : ring.read()) RINGPROOF_HOLDS(intact, record.size() != record.size());
    if (GoesOn) ring.resynchronise();
    static_cast<void>(ring.try_write(std::as_bytes(std::span(&two, 1))));
    bool delivered = false;
    for (const auto record : ring.read()) delivered = record.template as<std::uint64_t>() == two;
    RINGPROOF_HOLDS(live, delivered);
}

/// R26. Symptom: large records that go around the end have bytes of an earlier one. Cause: the reader's bounce buffer is
/// large enough, but it copies at most the size of its own union of events (4168 bytes). Source: tools/perf, read and
/// measured. Here the buffer has 4 words and the cap is 2.
template <std::size_t Cap>
void a_split_record_is_copied_whole() {
    const std::uint64_t area[4] = {3, 4, 1, 2}; // a record of 4 words from index 2 on
    std::uint64_t bounce[4] = {9, 9, 9, 9};     // what the record before left there
    for (std::size_t i = 0; i != std::min<std::size_t>(4, Cap); ++i) bounce[i] = area[(2 + i) % 4];
    for (std::size_t i = 0; i != 4; ++i) RINGPROOF_HOLDS(intact, bounce[i] == i + 1);
}

/// R25. Symptom: an endless loop, or half a record at the end of a snapshot. Cause: walking back from head does not stop
/// after one lap, or keeps the record that the lap cut.
enum class walk { right, no_lap_check, keeps_the_clipped };
template <walk Walk>
void a_walk_ends_after_a_lap() {
    // Sizes in words of records written downwards, newest first; of the third only two words are left.
    const std::uint64_t area[8] = {3, 2, 0, 3, 0, 0, 3, 0};
    std::size_t at = 0, delivered = 0, steps = 0;
    while (area[at % 8] != 0) {
        const std::uint64_t size = area[at % 8];
        RINGPROOF_HOLDS(live, ++steps < 10);
        if (Walk != walk::no_lap_check) {
            if (at >= 8) break;
            if (Walk == walk::right && at + size > 8) break;
        }
        at += size;
        ++delivered;
        if (Walk == walk::keeps_the_clipped) RINGPROOF_HOLDS(intact, at <= 8);
    }
    if (Walk == walk::right) RINGPROOF_HOLDS(intact, delivered == 2);
}

/// B2. Symptom: a write far beyond the ring. Cause: a reservation is not compared with the ring's size, and with the
/// header added it is 2^32. Source: CVE-2021-3489. (Sizes of 8 bits here.)
template <bool Checked>
void a_reservation_fits() {
    const std::uint8_t capacity = 64, wanted = 252;
    const auto with_header = static_cast<std::uint8_t>(wanted + 8); // 4
    if (Checked && wanted > capacity - 8) return;
    RINGPROOF_HOLDS(bounds, with_header > capacity || wanted <= capacity);
}

/// B8. Symptom: the consumer steps 2^30 bytes. Cause: the marks in a header's top bits are taken for length.
template <std::uint32_t Mask>
void a_length_is_without_its_marks() {
    constexpr std::uint32_t busy = 1U << 31, discard = 1U << 30;
    for (const std::uint32_t header : {16U, 16U | discard}) {
        if ((header & busy) != 0) continue;
        RINGPROOF_HOLDS(bounds, (header & Mask) == 16);
    }
}

} // namespace

VERIFY("W18: a writer copies more than it reserved", .models = {sc}, .expect = refuted) {
    the_next_record_is_intact<true>();
}
VERIFY("W18, right: a writer copies through its reservation", .models = {rc11, sc}) {
    the_next_record_is_intact<false>();
}
VERIFY("W20: a record larger than the ring is written over itself", .models = {sc}, .expect = refuted) {
    a_record_does_not_overlap_itself<false>();
}
VERIFY("W20, right: a record larger than the ring is refused", .models = {rc11, sc}) {
    a_record_does_not_overlap_itself<true>();
    the_recorder_refuses_what_would_overlap();
}
VERIFY("W22: a copy that ends at the end of a page stays there", .models = {sc}, .expect = refuted) {
    copies_stay_in_their_pages<false>();
}
VERIFY("W22, right: a copy that ends at the end of a page goes on to the next", .models = {rc11, sc}) {
    copies_stay_in_their_pages<true>();
}
VERIFY("R25: a walk back does not stop after a lap", .models = {sc}, .expect = refuted) {
    a_walk_ends_after_a_lap<walk::no_lap_check>();
}
VERIFY("R25b: a walk back keeps the record that the lap has cut", .models = {sc}, .expect = refuted) {
    a_walk_ends_after_a_lap<walk::keeps_the_clipped>();
}
VERIFY("R25, right: a walk back stops after a lap, before the clipped record", .models = {rc11, sc}) {
    a_walk_ends_after_a_lap<walk::right>();
}
VERIFY("R26: of a record that goes around the end only so much is copied", .models = {sc},
       .expect = refuted) {
    a_split_record_is_copied_whole<2>();
}
VERIFY("R26, right: of a record that goes around the end all is copied", .models = {rc11, sc}) {
    a_split_record_is_copied_whole<4>();
}
VERIFY("R28: a damaged size ends reading for ever", .models = {sc}, .expect = refuted) {
    a_damaged_size_does_not_hold_up<false>();
}
VERIFY("R28, right: after a damaged size reading goes on from head", .models = {rc11, sc}) {
    a_damaged_size_does_not_hold_up<true>();
}
VERIFY("B2: a reservation is not compared with the ring", .models = {sc}, .expect = refuted) {
    a_reservation_fits<false>();
}
VERIFY("B2, right: a reservation that cannot fit is refused", .models = {rc11, sc}) {
    a_reservation_fits<true>();
}
VERIFY("B8: a header's marks are taken for length", .models = {sc}, .expect = refuted) {
    a_length_is_without_its_marks<(1U << 31) - 1>();
}
VERIFY("B8, right: the marks are masked", .models = {rc11, sc}) {
    a_length_is_without_its_marks<(1U << 30) - 1>();
}
