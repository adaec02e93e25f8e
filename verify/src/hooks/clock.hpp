// SPDX-License-Identifier: Apache-2.0
#pragma once
// Virtual time.

#include <cstdint>
#include <time.h>

namespace ringproof::verify::hook {

/// The calling thread is in a timed wait until `*until`, at `site`.
void note_deadline(const timespec* until, std::uintptr_t site);
/// Lets the calling thread's time reach `until`.
void pass_until(clockid_t clock, const timespec& until);

} // namespace ringproof::verify::hook
