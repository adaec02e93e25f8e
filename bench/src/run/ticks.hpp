// SPDX-License-Identifier: Apache-2.0
#pragma once
// The cheapest clock there is, for times within one run: the processor's counter where all CPUs share it, else
// CLOCK_MONOTONIC (some 20 ns a look, against 10).

#include <chrono>
#include <cstdint>
#ifdef __x86_64__
#include <x86intrin.h>
#endif

namespace ringproof::bench {

namespace detail {
inline std::uint64_t monotonic_ns() {
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                          std::chrono::steady_clock::now().time_since_epoch())
                                          .count());
}
/// constant_tsc and nonstop_tsc: the counter runs at one rate, always.
bool counter_is_a_clock();
} // namespace detail

struct tick_clock {
    bool counter = detail::counter_is_a_clock();
    double ns_per_tick = 1;

    /// Compares the counter with the monotonic clock for 5 ms, once per program.
    static const tick_clock& get();

    std::uint64_t now() const {
#ifdef __x86_64__
        if (counter) return __rdtsc();
#endif
        return detail::monotonic_ns();
    }
    double ns(std::uint64_t ticks) const { return static_cast<double>(ticks) * ns_per_tick; }
};

} // namespace ringproof::bench
