// SPDX-License-Identifier: Apache-2.0
#pragma once
// Vector clocks over the threads of one execution. clock[t] == i means: events 1..i of thread t are
// included. Fixed width, so that an event is one flat block of memory and joining is a few SIMD maxima.

#include <array>
#include <cstdint>
#include <cstring>

namespace ringproof::verify {

/// Threads one program may create in all, main included.
inline constexpr unsigned max_threads = 32;
/// Visible events one thread may have; the clocks count in 15 bits (SSE2 has signed 16-bit maxima).
inline constexpr unsigned max_thread_events = 32'000;

using thread_id = std::uint16_t;

struct alignas(16) vector_clock {
    std::array<std::int16_t, max_threads> at{};

    std::int16_t operator[](thread_id t) const { return at[t]; }
    std::int16_t& operator[](thread_id t) { return at[t]; }

    /// The pointwise maximum: everything either clock includes.
    void join(const vector_clock& other) {
        // By hand, since g++ 12 leaves the loop over single numbers as it is at -O2.
        using lanes [[gnu::vector_size(16)]] = std::int16_t;
        constexpr unsigned count = sizeof(lanes) / sizeof(std::int16_t);
        for (unsigned i = 0; i < max_threads; i += count) {
            lanes mine, theirs;
            std::memcpy(&mine, &at[i], sizeof mine);
            std::memcpy(&theirs, &other.at[i], sizeof theirs);
            mine = mine < theirs ? theirs : mine;
            std::memcpy(&at[i], &mine, sizeof mine);
        }
    }

    /// Whether event `index` of thread `t` is included.
    bool includes(thread_id t, unsigned index) const { return static_cast<int>(index) <= at[t]; }
};

} // namespace ringproof::verify
