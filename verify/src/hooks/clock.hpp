// SPDX-License-Identifier: Apache-2.0
#pragma once
// Virtual time.

#include <time.h>

namespace ringproof::verify::hook {

/// Lets the calling thread's time reach `until`.
void pass_until(clockid_t clock, const timespec& until);

} // namespace ringproof::verify::hook
