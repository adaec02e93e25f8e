// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which relations of a model only grow while an execution is being chosen. A check of such a relation that fails on a
// part of an execution (some loads have their stores, some stores their order) fails on every execution that has that
// part, so that none of them need be tried.

#include "graph.hpp"

namespace ringproof::litmus::cat {

/// Of each node: does it grow, or stay, with reads-from and with the first order, which is of each location?
std::vector<bool> growing_nodes(const graph& g);
/// The checks that reject for good once they fail: indices into graph::checks, of those that depend on a choice.
std::vector<std::size_t> checks_for_parts(const graph& g);

} // namespace ringproof::litmus::cat
