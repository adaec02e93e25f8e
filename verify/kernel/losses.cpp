// SPDX-License-Identifier: Apache-2.0
// A ring that is full: what is refused is counted, and a LOST record tells it when there is room again.

#include "ring.hpp"

namespace {

using namespace ringproof;

/// Three records fill the ring, the reader takes `Taken` of them while it stands, and an interrupt writes into what follows.
template <unsigned Times>
void full_and_interrupted(std::initializer_list<kernel_change> changes = {}) {
    kernel::ring ring({.pages = 1, .watermark = 0, .backward = false, .aux_pages = 0, .aux_watermark = 0},
                      changes);
    for (std::uint64_t value = 1; value <= 4; ++value) ring.write(value, 1);
    ring.drain();
    std::uint64_t inner = 16;
    std::thread writer([&] {
        const verify::interrupt irq(
            [&] {
                ring.write(inner++, 1);
                verify::cover("interrupted");
            },
            {.times = Times});
        ring.write(5, 1);
    });
    writer.join();
    ring.at_rest();
}

} // namespace

VERIFY("losses: the next record reports a refused one, interrupted or not", .models = {rc11, tso, sc},
       .covers = {"full", "LOST", "interrupted"}) {
    full_and_interrupted<1>();
}
VERIFY("losses: two interrupts, and one of them is refused", .models = {rc11, tso, sc},
       .covers = {"full", "LOST", "interrupted"}) {
    full_and_interrupted<2>();
}
VERIFY("losses, with a local_xchg() that can be interrupted", .models = {rc11, tso, sc}, .expect = refuted) {
    full_and_interrupted<2>({xchg_in_two_steps});
}
