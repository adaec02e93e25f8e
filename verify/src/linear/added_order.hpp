// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which orders of the calls a client may add to an execution, and whether one of them is left without an explanation.
//
// The calls of an execution are a, b, …; sets of calls are bits of a number. An order is given by `before`: of each call b the
// calls whose return happens before b begins. A client adds pairs to it, by making b behind a in one thread or by
// waiting. What follows from them: if a comes before b, some event of b happens before one of c, and c comes
// before d, then a comes before d, as b begins before all its events, and c returns behind all of its own.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace ringproof::verify::linear {

using call_order = std::vector<std::uint32_t>;

/// What an execution says of its calls.
struct call_relations {
    call_order before; ///< the order that is there
    call_order meets;  ///< of each call those of which an event happens before one of its own; itself, too
    call_order
        reaches; ///< the same of porf, where the model wants it to have no cycle with the client's order; empty: no
    call_order never; ///< of each call those that cannot come before it; itself, too
};

/// Adds to `order` what follows from it.
void close(call_order& order, const call_order& meets);

/// Whether the execution, with the client's `order`, which is closed, is one as far as pairs of calls tell.
bool is_possible(const call_relations& r, const call_order& order);

struct added_order {
    bool found = false;
    bool gave_up = false; ///< there were too many orders to go through
    call_order order;     ///< found: that is not explained
};

/// Looks for an order that contains what is there, is possible, and is not explained.
/// @param explained whether the results are explained with this order. If so they are with each that it contains
/// @param consistent whether the model allows an order that is_possible(). If so it allows each that it contains
added_order find_unexplained(const call_relations& r, const std::function<bool(const call_order&)>& explained,
                             const std::function<bool(const call_order&)>& consistent);

} // namespace ringproof::verify::linear
