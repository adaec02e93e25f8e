// SPDX-License-Identifier: Apache-2.0
#pragma once
// Interrupts that write into the ring in the middle of a record being written, on the same CPU: what nest, the second look
// and local_t are for.

#include "ring.hpp"

namespace ringproof::kernel {

inline constexpr ring_shape one_page{
    .pages = 1, .watermark = 0, .backward = false, .aux_pages = 0, .aux_watermark = 0};

/// A task writes `Records`; an interrupt writes one, `Times` times.
template <int Records, int Words, unsigned Times, unsigned Depth = 1>
void interrupted(std::initializer_list<kernel_change> changes = {}) {
    class ring ring(one_page, changes);
    std::uint64_t inner = 16;
    std::thread writer([&] {
        const verify::interrupt irq(
            [&] {
                ring.write(inner++, Words);
                verify::cover("interrupted");
            },
            {.times = Times, .depth = Depth});
        for (int i = 1; i <= Records; ++i) ring.write(static_cast<std::uint64_t>(i), Words);
    });
    ring.drain();
    writer.join();
    ring.at_rest();
}

/// An interrupt, and one that cannot be masked: it comes into the interrupt, or (Anywhere) into the task's own code too.
template <int Records, bool Anywhere>
void two_levels(std::initializer_list<kernel_change> changes = {}) {
    class ring ring(one_page, changes);
    std::thread writer([&] {
        const auto by_nmi = [&] {
            ring.write(17, 1);
            verify::cover("interrupted");
        };
        const auto by_irq = [&] {
            if (Anywhere) {
                ring.write(16, 1);
            } else {
                const verify::interrupt nmi(by_nmi, {.level = 2});
                ring.write(16, 1);
            }
        };
        const verify::interrupt irq(by_irq);
        const auto task = [&] {
            for (int i = 1; i <= Records; ++i) ring.write(static_cast<std::uint64_t>(i), 1);
        };
        if (Anywhere) {
            const verify::interrupt nmi(by_nmi, {.level = 2});
            task();
        } else {
            task();
        }
    });
    ring.drain();
    writer.join();
    ring.at_rest();
}

} // namespace ringproof::kernel
