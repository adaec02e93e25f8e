// SPDX-License-Identifier: Apache-2.0
#pragma once
// What every record of a recording carries, and where. One format for all events, so that a record can be read before
// it is known whose it is.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include <linux/perf_event.h>

namespace ringproof::record_command {

inline constexpr std::uint64_t sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
                                             PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;

/// What a SAMPLE begins with.
struct sample_fields {
    std::uint64_t id, ip;
    std::uint32_t pid, tid;
    std::uint64_t time;
    std::uint32_t cpu, reserved;
    std::uint64_t period;
};

/// What every other record of the kernel ends with.
struct record_trailer {
    std::uint32_t pid, tid;
    std::uint64_t time;
    std::uint32_t cpu, reserved;
    std::uint64_t id;
};
static_assert(sizeof(sample_fields) == 48 && sizeof(record_trailer) == 32);

/// The time stamp of a record, nanoseconds; 0 when it is too short to have one.
[[nodiscard]] inline std::uint64_t time_of(std::uint32_t type, std::span<const std::byte> payload) noexcept {
    std::size_t at = 0;
    if (type == PERF_RECORD_SAMPLE) {
        if (payload.size() < sizeof(sample_fields)) return 0;
        at = offsetof(sample_fields, time);
    } else {
        if (payload.size() < sizeof(record_trailer)) return 0;
        at = payload.size() - sizeof(record_trailer) + offsetof(record_trailer, time);
    }
    std::uint64_t time = 0;
    std::memcpy(&time, payload.data() + at, sizeof time);
    return time;
}

} // namespace ringproof::record_command
