// SPDX-License-Identifier: Apache-2.0
#pragma once
// The oracle: every consistent execution graph of a small program, found by trying everything and
// comparing with everything seen. No partial-order reduction, no revisits: slow, and plainly right.
//
// Two enumerators, so that the oracle has an oracle of its own:
//  * enumerate() grows graphs event by event, in every order of the threads, with every write a read
//    can read from and every place in coherence order, and drops a graph as soon as it is
//    inconsistent. It relies on one fact: what is left of a consistent graph after cutting off events
//    that nothing else follows in program order or reads from is consistent too.
//  * enumerate_by_definition() relies on nothing: all reads-from choices first, then for each finished
//    graph all coherence orders, and only then the axioms. Fit for very small programs.
// A po-rf cycle is never built, which both models forbid.

#include "axioms.hpp"

#include <cstdint>
#include <set>

namespace ringproof::verify::oracle {

struct enumeration {
    std::uint64_t executions = 0; ///< consistent graphs in which all threads finish, told apart by (rf, co)
    /// Consistent graphs in which every thread that has not finished waits (await, lock), and the newest
    /// value of its location does not let it go on: threads that may wait for ever. Some of them
    /// could still go on by reading an older value, so 0 here means that a fair run always ends.
    std::uint64_t blocked = 0;
    bool race = false;            ///< some consistent graph, finished or not, has a data race
    bool cut_short = false;       ///< the limit was hit: nothing above is final
    std::uint64_t states = 0;     ///< partial graphs looked at
    std::set<outcome> outcomes{}; ///< of the finished executions
};

inline constexpr std::uint64_t default_state_limit = 5'000'000;

/// Stops at the first race, since a racy program has no meaning: the counts then say nothing.
enumeration enumerate(const program& what, memory_model model,
                      std::uint64_t state_limit = default_state_limit);

/// The same numbers, except that `blocked` is not counted.
enumeration enumerate_by_definition(const program& what, memory_model model,
                                    std::uint64_t state_limit = default_state_limit);

} // namespace ringproof::verify::oracle
