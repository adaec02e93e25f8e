// SPDX-License-Identifier: Apache-2.0
// An AUX area: the driver asks for room (perf_aux_output_begin), writes bytes, and commits them (perf_aux_output_end); an AUX record
// says where they lie. The reader takes them by aux_head and aux_tail, or by the record.

#include "ring.hpp"

namespace {

using namespace ringproof;

struct aux_reader {
    std::uint64_t tail = 0;
    unsigned char next = 1;

    /// Bursts of `burst` bytes, each with the next number.
    void take(unsigned long burst) {
        const std::uint64_t head = reader_aux_head();
        for (; tail < head; tail += burst, ++next)
            for (const std::uint64_t at : {tail, tail + burst - 1}) VERIFY_THAT(reader_aux_byte(at) == next);
        reader_aux_consume(tail);
    }
};

template <int Bursts>
void stream(std::initializer_list<kernel_change> changes = {}) {
    constexpr unsigned long burst = 24;
    kernel::ring ring({.pages = 4, .watermark = 0, .backward = false, .aux_pages = 1, .aux_watermark = 0},
                      changes);
    unsigned written = 0;
    std::thread writer([&] {
        for (int i = 1; i <= Bursts; ++i) {
            if (kernel_aux_write(ring.event(), static_cast<unsigned char>(written + 1), burst, 0))
                ++written;
            else
                verify::cover("full");
        }
    });
    aux_reader reader;
    reader.take(burst);
    if (reader.tail != 0) verify::cover("seen early");
    writer.join();
    VERIFY_THAT(kernel_aux_head(ring.event()) == written * burst);
    reader.take(burst);
    VERIFY_THAT(reader.next == written + 1);
}

/// The bytes that an AUX record names; what was skipped is not among them.
void take(const perf_record& record) {
    VERIFY_THAT(record.type == record_of_aux && record.words[0] == 16 && record.words[1] == 16);
    VERIFY_THAT(reader_aux_byte(record.words[0]) == 5);
    reader_consume();
    verify::cover("seen early");
}

void by_record(std::initializer_list<kernel_change> changes = {}) {
    kernel::ring ring({.pages = 1, .watermark = 0, .backward = false, .aux_pages = 1, .aux_watermark = 0},
                      changes);
    std::thread writer([&] { VERIFY_THAT(kernel_aux_write(ring.event(), 5, 16, 16)); });
    if (reader_begin() >= 0)
        if (const perf_record* record = reader_next()) take(*record);
    writer.join();
    VERIFY_THAT(kernel_aux_head(ring.event()) == 32);
}

/// One burst crosses the watermark of the area. The reader polls, looks at aux_head, and polls again until it moves.
void a_burst_wakes(std::initializer_list<kernel_change> changes = {}) {
    kernel::ring ring({.pages = 2, .watermark = 0, .backward = false, .aux_pages = 1, .aux_watermark = 24},
                      changes);
    std::thread writer([&] {
        VERIFY_THAT(kernel_aux_write(ring.event(), 1, 24, 0));
        kernel_irq_work(ring.event());
    });
    aux_reader reader;
    while (reader.tail == 0) {
        kernel_poll(ring.event());
        reader.take(24);
    }
    writer.join();
    VERIFY_THAT(reader.next == 2);
}

} // namespace

VERIFY("AUX: three bursts of 24 bytes in 64 by aux_head and aux_tail", .models = {rc11, tso, sc},
       .covers = {"full", "seen early"}) {
    stream<3>();
}
VERIFY("AUX: a burst by its record, behind bytes that were skipped", .models = {rc11, tso, sc},
       .covers = {"seen early"}) {
    by_record();
}
VERIFY("AUX, without A: the branch on aux_tail orders nothing", .models = {rc11}, .expect = refuted) {
    stream<3>({tail_dependency_taken});
}
VERIFY("AUX, without the driver's write barrier", .models = {rc11}, .expect = refuted) {
    stream<3>({driver_barrier_taken, write_barrier_taken});
}
VERIFY("AUX, without C", .models = {rc11}, .expect = refuted) { stream<3>({head_acquire_taken}); }
VERIFY("AUX, without D", .models = {rc11}, .expect = refuted) { stream<3>({tail_release_taken}); }
VERIFY("AUX, without the driver's barrier, by the record: smp_wmb() of data_head is behind the bytes too",
       .models = {rc11}) {
    by_record({driver_barrier_taken});
}
VERIFY("AUX, without either, by the record", .models = {rc11}, .expect = refuted) {
    by_record({driver_barrier_taken, write_barrier_taken});
}

VERIFY("AUX wake-up: a burst that crosses the watermark wakes the reader, on x86", .models = {tso, sc}) {
    a_burst_wakes();
}
/// docs/findings/perf-poll-flag.md
VERIFY("AUX wake-up, the same: rb->poll is seen before aux_head, and the reader sleeps for ever",
       .models = {rc11}, .expect = refuted, .errors = {"deadlock"}) {
    a_burst_wakes();
}
VERIFY("AUX wake-up, with atomic_set_release(&rb->poll)", .models = {rc11, tso, sc}) {
    a_burst_wakes({poll_set_releases});
}
