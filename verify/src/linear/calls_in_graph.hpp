// SPDX-License-Identifier: Apache-2.0
#pragma once
// What an execution graph says of the calls that its threads have made.

#include "../graph/graph.hpp"
#include "added_order.hpp"

namespace ringproof::verify::linear {

/// A call: the events of a thread behind `begun`, up to `returned`, which only this thread reads or writes.
struct call_events {
    thread_id thread = 0;
    std::uint32_t begun = 0, returned = 0;
};

/// @param sc whether the model is sequential consistency. If not, it is one in which a client's order has to agree with hb,
///        coherence and porf, and with psc, which is not looked at here
call_relations relations_of(const graph& g, const std::vector<call_events>& calls, bool sc);

/// Whether psc of the graph, which is left as it was, stays acyclic when a client adds `order`, which is closed.
bool psc_allows(graph& g, const std::vector<call_events>& calls, const call_order& order);

} // namespace ringproof::verify::linear
