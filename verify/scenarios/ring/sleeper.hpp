// SPDX-License-Identifier: Apache-2.0
#pragma once
// A consumer that sleeps between records, and a mutant of the barriers that wake it.

#include "mutants.hpp"

#include <atomic>
#include <cstdint>

namespace ringproof::scenarios {

/// A sleeper that reads the flag and nothing else: it goes on when the flag changes, as futex and eventfd do.
struct watched_flag {
    static constexpr bool has_descriptor = false;
    void raised(std::atomic<std::uint32_t>&) noexcept {}
    void lowered() noexcept {}
    void collect() noexcept {}
    template <class Barriers>
    void sleep(const std::atomic<std::uint32_t>&, std::uint32_t) noexcept {
        verify::cover("slept");
        verify::pause();
    }
};

/// The flag is raised, but what was done before (a record published, a source stopped) does not come with it.
struct raised_relaxed : watched {
    static std::uint32_t raise(std::atomic<std::uint32_t>& flag, std::uint32_t value) noexcept {
        return flag.exchange(value, std::memory_order_relaxed);
    }
    static std::uint32_t lower(std::atomic<std::uint32_t>& flag, std::uint32_t value) noexcept {
        return flag.exchange(value, std::memory_order_relaxed);
    }
    static void settle() noexcept {}
};

} // namespace ringproof::scenarios
