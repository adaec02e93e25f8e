// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace ringproof::verify {

/// Whether the compare-exchange that returns to `site` may be weak. clang's call does not say so, but debug information
/// names the functions that were inlined there: only one called compare_exchange_strong rules it out.
bool may_be_weak(std::uintptr_t site);

} // namespace ringproof::verify
