// SPDX-License-Identifier: Apache-2.0
#pragma once
// One execution with its events and relations, to be shown.

#include "../cat/evaluator.hpp"
#include "execution.hpp"
#include "known_values.hpp"

namespace ringproof::litmus {

/// `writer` is whom each load reads from.
execution picture_of(const program& p, const structure& s, const known_values& values,
                     const std::vector<std::size_t>& writer, const cat::graph& g, cat::evaluator& e);

} // namespace ringproof::litmus
