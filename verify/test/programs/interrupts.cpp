// SPDX-License-Identifier: Apache-2.0
#include "interrupts.hpp"

#include <ringproof/verify/interrupt.hpp>
#include <ringproof/verify/verify.hpp>

#include <atomic>

namespace programs {

using enum std::memory_order;
using ringproof::verify::interrupt;

// With external linkage: clang leaves out a store to a static variable that is never read, and the load before it.
int seen_by_handler;

namespace {

std::atomic<int> flag, inside;
int data;

void two_handlers(unsigned first_level, unsigned second_level) {
    inside.store(0, relaxed);
    const auto enter = [] {
        VERIFY_THAT(inside.load(relaxed) == 0);
        inside.store(1, relaxed);
        inside.store(0, relaxed);
    };
    const interrupt first(enter, {.times = 1, .depth = 1, .level = first_level});
    const interrupt second(enter, {.times = 1, .depth = 1, .level = second_level});
    flag.store(1, relaxed);
    flag.store(2, relaxed);
}

} // namespace

void handlers_of_one_level() { two_handlers(1, 1); }
void handlers_of_two_levels() { two_handlers(1, 2); }

void handler_attached_in_a_handler() {
    flag.store(0, relaxed);
    inside.store(1, relaxed);
    const interrupt outer([] {
        const interrupt inner([] { inside.store(flag.load(relaxed), relaxed); },
                              {.times = 1, .depth = 1, .level = 2});
        flag.store(1, relaxed);
    });
    VERIFY_THAT(inside.load(relaxed) == 1);
}

void handler_that_does_nothing() {
    const interrupt idle([] {});
    flag.store(1, relaxed);
    flag.store(2, relaxed);
}

void handler_between_plain_writes() {
    data = 0;
    const interrupt looks([] { seen_by_handler = data; });
    data = 1;
    data = 2;
    std::atomic_signal_fence(seq_cst); // behind which it may look
    flag.store(1, relaxed);
}

namespace {
void handler_passes_data_on(std::memory_order order) {
    data = 0;
    flag.store(0, relaxed);
    const interrupt writes([] {
        data = 1;
        flag.store(1, release);
    });
    if (flag.load(order) == 1) VERIFY_THAT(data == 1);
}
} // namespace

void handler_data_after_a_relaxed_load() { handler_passes_data_on(relaxed); }
void handler_data_after_an_acquire_load() { handler_passes_data_on(acquire); }

} // namespace programs
