// SPDX-License-Identifier: Apache-2.0
#pragma once
// Why a model rejects an execution: the steps of program order, dependencies, reads-from and coherence that
// close the cycle which one of its checks forbids.

#include "../cat/evaluator.hpp"
#include "execution.hpp"

namespace ringproof::litmus {

/// The shortest cycle that the check finds in the evaluator's execution, which it rejects; of a check for
/// emptiness, one of the pairs that it finds. Empty if the relation is one that only a model's author can read.
std::vector<cycle_step> cycle_of(const cat::graph& g, cat::evaluator& e, const cat::check& failed);

} // namespace ringproof::litmus
