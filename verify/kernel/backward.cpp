// SPDX-License-Identifier: Apache-2.0
// Overwriting: the writer goes downwards and never asks for room; a reader stops it, and takes what is left, newest first.

#include "ring.hpp"

namespace {

using namespace ringproof;

constexpr ring_shape backward{
    .pages = 1, .watermark = 0, .backward = true, .aux_pages = 0, .aux_watermark = 0};

enum class stop { after_the_writer, while_it_writes, not_at_all };

/// libperf's documented loop for this mode; stops where a record was overwritten in part.
unsigned take_newest_first(std::uint64_t newest) {
    if (reader_begin() < 0) return 0;
    unsigned n = 0;
    while (const perf_record* record = reader_next()) {
        VERIFY_THAT(record->type == record_of_ours);
        for (int i = 1; i < (record->size - 8) / 8; ++i) VERIFY_THAT(record->words[i] == record->words[0]);
        if (newest != 0) VERIFY_THAT(record->words[0] == newest - n);
        ++n;
    }
    reader_done();
    return n;
}

template <int Records, int Words, stop When = stop::after_the_writer>
void overwriting(std::initializer_list<kernel_change> changes = {}) {
    kernel::ring ring(backward, changes);
    std::thread writer([&] {
        for (int i = 1; i <= Records; ++i)
            VERIFY_THAT(kernel_write(ring.event(), static_cast<std::uint64_t>(i), Words));
    });
    if (When == stop::while_it_writes) kernel_pause(ring.event(), true);
    if (When != stop::after_the_writer) take_newest_first(0);
    writer.join();
    kernel_pause(ring.event(), true);
    const unsigned n = take_newest_first(Records);
    VERIFY_THAT(n == (Records * kernel::bytes(Words) <= 64 ? Records : 64 / kernel::bytes(Words)));
    VERIFY_THAT(!kernel_write(ring.event(), Records + 1, Words)); // it is stopped
}

template <unsigned Times>
void interrupted(std::initializer_list<kernel_change> changes = {}) {
    kernel::ring ring(backward, changes);
    unsigned inner = 0;
    const auto write = [&](std::uint64_t value) { VERIFY_THAT(kernel_write(ring.event(), value, 1)); };
    std::thread writer([&] {
        const verify::interrupt irq(
            [&] {
                write(16 + inner++);
                verify::cover("interrupted");
            },
            {.times = Times});
        write(1);
        write(2);
    });
    writer.join();
    kernel_pause(ring.event(), true);
    VERIFY_THAT(kernel_data_head(ring.event()) == kernel_reserved(ring.event()));
    VERIFY_THAT(take_newest_first(0) == 2 + inner);
}

} // namespace

VERIFY("backward: four records of 16 bytes fill the ring, newest first", .models = {rc11, tso, sc}) {
    overwriting<4, 1>();
}
VERIFY("backward: six records of 16 bytes, the newest four are left", .models = {rc11, tso, sc}) {
    overwriting<6, 1>();
}
VERIFY("backward: five records of 24 bytes, split at the end, the newest two are left",
       .models = {rc11, tso, sc}) {
    overwriting<5, 2>();
}
VERIFY("backward: two records and two interrupts", .models = {rc11, tso, sc}, .covers = {"interrupted"}) {
    interrupted<2>();
}
VERIFY("backward, with a local_cmpxchg() that can be interrupted", .models = {rc11, tso, sc},
       .expect = refuted) {
    interrupted<1>({cmpxchg_in_two_steps});
}
VERIFY("backward, read while it is written", .models = {rc11, tso, sc}, .expect = refuted) {
    overwriting<3, 2, stop::not_at_all>();
}
VERIFY("backward, paused while a writer is inside", .models = {rc11, tso, sc}, .expect = refuted) {
    overwriting<3, 2, stop::while_it_writes>();
}
