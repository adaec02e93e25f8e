// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <span>
#include <vector>

namespace ringproof {

/// Which rings a session has, and who writes them: perf's modes, with the threads of this program for its tasks.
enum class deployment : std::uint8_t {
    by_default,  ///< a ring per CPU; threads that were attached, and those they `spawn`
    per_thread,  ///< a ring per thread that was attached; what it spawns is left out
    cpu_list,    ///< a ring per CPU named; all threads, while they run there
    system_wide, ///< a ring per CPU; all threads
};

struct session_options {
    deployment mode = deployment::by_default;
    std::vector<int> cpus = {};       ///< for cpu_list: at least one, from 0 to 8191
    std::size_t capacity = 1U << 16U; ///< bytes of each ring, a power of two, at least 64
    std::size_t watermark = 0;        ///< bytes in a ring that wake the reader; 0: half the capacity
};

/// An event of a session: a kind of record, with rings of its own or in those of another.
struct event_options {
    std::uint32_t clock = 0;
    std::uint32_t aux_source = 0;
    bool backward = false;
    int cpu = -1;             ///< only there; -1: wherever the session has rings
    std::uint32_t thread = 0; ///< only of the writer with this number, of a session per thread; 0: of all
};

/// The clock that records are stamped with unless another is given: CLOCK_MONOTONIC, nanoseconds.
struct monotonic_clock {
    [[nodiscard]] static std::uint64_t now() noexcept {
        timespec time{};
        ::clock_gettime(CLOCK_MONOTONIC, &time);
        return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U +
               static_cast<std::uint64_t>(time.tv_nsec);
    }
};

/// A record as the reader of a session gets it.
struct session_record {
    std::uint64_t time;                 ///< of its clock; those of one round to the next never go back
    std::uint32_t type;                 ///< record_type::sample, or lost
    std::uint32_t event;                ///< of the session
    std::uint32_t writer;               ///< number of the thread; 0 for LOST
    std::span<const std::byte> payload; ///< of a LOST record: a lost_record
};

} // namespace ringproof
