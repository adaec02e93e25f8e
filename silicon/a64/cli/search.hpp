// SPDX-License-Identifier: Apache-2.0
#pragma once
// Searches a program: all of its executions, some, or the one of a token.

#include "findings.hpp"
#include "token.hpp"

#include <ringproof/silicon/explore.hpp>

#include <functional>

namespace ringproof::silicon::a64 {

struct search_order {
    bool hangs_fail = true;            ///< whether a thread that waits for ever refutes
    bool shortest = false;             ///< go on after an execution that fails, and keep the shortest
    std::uint64_t most_executions = 0; ///< 0: all
    std::uint64_t shown = 0;           ///< complete executions to keep
};

/// Where a search is.
struct search_state {
    std::uint64_t executions = 0;
    const way& where;
    unsigned begun = 0; ///< how often it has begun anew, as more is known of the memory
};

/// Asked now and then; false ends the search.
using go_on = std::function<bool(const search_state&)>;

findings search(program& p, const search_order& order, const go_on& more);

/// Random executions. @param count at most so many
findings search_randomly(program& p, const search_order& order, std::uint64_t count, std::uint64_t seed,
                         const go_on& more);

/// The execution of a token; `executions` is 1 if it is complete.
/// @throws std::invalid_argument for a token of another program
findings replay(program& p, const search_order& order, const replay_token& token);

/// One pass through what the way takes. @param f gets what is found, while it is found
/// @throws learnt when it has to begin anew
void search_along(program& p, const search_order& order, way& by, const go_on& more, findings& f,
                  unsigned begun = 0);

} // namespace ringproof::silicon::a64
