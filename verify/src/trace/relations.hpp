// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "counterexample.hpp"

namespace ringproof::verify {

/// Fills in the relations of `example`, whose events were made from `raw`, one each.
void relate(counterexample& example, const std::vector<const recorded_event*>& raw, memory_model model);

} // namespace ringproof::verify
