// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "symbols.hpp"

#include <cstdint>

namespace ringproof::verify {

/// Whether the standard library makes the call that returns to `site`, within a timed wait: `condition_variable::wait_for()`
/// looks at the clock to compute its deadline.
bool is_in_timed_wait(std::uintptr_t site, const symbols& names);

} // namespace ringproof::verify
