// SPDX-License-Identifier: Apache-2.0
// A reader that sleeps in poll() until the watermark is crossed: perf_output_wakeup() sets rb->poll and queues work that wakes
// it; poll() takes rb->poll by an exchange; the reader then looks at data_head.

#include "ring.hpp"

namespace {

using namespace ringproof;

/// One record crosses the watermark. The reader polls, looks, and polls again until it has it.
void one_record_wakes(std::initializer_list<kernel_change> changes = {}) {
    kernel::ring ring({.pages = 1, .watermark = 8, .backward = false, .aux_pages = 0, .aux_watermark = 0},
                      changes);
    std::thread writer([&] {
        ring.write(1, 1);
        kernel_irq_work(ring.event());
    });
    while (ring.seen() == 0) {
        kernel_poll(ring.event());
        ring.drain();
    }
    writer.join();
    ring.at_rest();
}

/// Three records and an interrupt that writes one; three of the four cross the watermark. Afterwards whoever asks is told.
void a_crossing_is_told(std::initializer_list<kernel_change> changes = {}) {
    kernel::ring ring({.pages = 2, .watermark = 40, .backward = false, .aux_pages = 0, .aux_watermark = 0},
                      changes);
    std::thread writer([&] {
        const verify::interrupt irq([&] {
            ring.write(16, 1);
            verify::cover("interrupted");
        });
        for (std::uint64_t value = 1; value <= 3; ++value) ring.write(value, 1);
    });
    writer.join();
    VERIFY_THAT(kernel_data_head(ring.event()) > 40 && kernel_poll_is_set(ring.event()));
    ring.at_rest();
}

} // namespace

VERIFY("wake-up: a record that crosses the watermark wakes the reader, on x86", .models = {tso, sc}) {
    one_record_wakes();
}
/// docs/findings/perf-poll-flag.md
VERIFY("wake-up, as shipped: rb->poll is seen before data_head, and the reader sleeps for ever",
       .models = {rc11}, .expect = refuted, .errors = {"deadlock"}) {
    one_record_wakes();
}
VERIFY("wake-up, with atomic_set_release(&rb->poll)", .models = {rc11, tso, sc}) {
    one_record_wakes({poll_set_releases});
}

/// docs/findings/perf-wakeup-stamp.md (W10)
VERIFY("wake-up, as shipped: an interrupt between nest++ and the stamp loses the wake-up",
       .models = {rc11, tso, sc}, .expect = refuted) {
    a_crossing_is_told();
}
VERIFY("wake-up, with the stamp saved before nest++", .models = {rc11, tso, sc}, .covers = {"interrupted"}) {
    a_crossing_is_told({stamp_before_nest});
}
