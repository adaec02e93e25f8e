// SPDX-License-Identifier: Apache-2.0
#pragma once
// Virtual time.

#include <cstdint>
#include <time.h>

namespace ringproof::verify::hook {

inline std::int64_t to_nanoseconds(const timespec& t) {
    return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}
/// The calling thread is in a timed wait until `*until`, at `site`.
void note_deadline(const timespec* until, std::uintptr_t site);
/// Lets the calling thread's time reach `until`.
void pass_until(clockid_t clock, const timespec& until);
/// Lets so many nanoseconds of the calling thread's time pass.
void pass_time(std::int64_t duration);

} // namespace ringproof::verify::hook
