// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace ringproof::verify {

/// Whether the compare-exchange that returns to `site` may be a weak one, as far as debug information tells: where it
/// tells of no function that is called so, it may be. What clang has the checker call does not say, and cannot fail
/// while it sees what it expects.
bool may_be_weak(std::uintptr_t site);

} // namespace ringproof::verify
