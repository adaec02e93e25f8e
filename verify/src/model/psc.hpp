// SPDX-License-Identifier: Apache-2.0
#pragma once
// RC11's condition on seq_cst accesses and fences: acyclic(psc_base ∪ psc_F).

#include "../graph/graph.hpp"

namespace ringproof::verify {

/// @return whether psc of `g` is acyclic; true at once when fewer than two events are seq_cst
bool psc_acyclic(const graph& g);

} // namespace ringproof::verify
