// SPDX-License-Identifier: Apache-2.0
#pragma once
// What there is to know of each kind of request, in one table: a new kind is a row, and the function that performs it.

#include "../graph/event.hpp"
#include "thread.hpp"

#include <ringproof/verify/history.hpp>

namespace ringproof::verify {

/// What a request keeps in place among the plain accesses of its own thread.
enum class ordering : std::uint8_t {
    free,
    of_read,  ///< as its order says, of those behind it
    of_write, ///< as its order says, of those before it
    of_both,  ///< as its order says
    all       ///< a call into a library
};

struct request_kind {
    action act;
    const char* name; ///< for people: "it asks for NAME"
    event_kind event; ///< that it becomes, or whose first part it is
    bool reads;       ///< it takes a value from a write that the search chooses
    bool writes;      ///< it takes a place in coherence order that the search chooses
    bool accesses;    ///< memory at its address, which has to be there
    bool repeats;     ///< a loop that does it again has made another round
    bool place;       ///< a handler may come in before it
    bool at_once;     ///< it may leave no choice at all, so that the search need not be asked
    ordering orders;
    recorded_event::what shown; ///< in a counterexample, where it fails before it is an event
};

extern const request_kind request_kinds[];
inline const request_kind& kind_of(action act) { return request_kinds[static_cast<std::size_t>(act)]; }

} // namespace ringproof::verify
