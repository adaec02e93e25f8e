// SPDX-License-Identifier: Apache-2.0
#pragma once
// Searches a program: all of its executions, some, or the one of a token.

#include "findings.hpp"
#include "token.hpp"

#include <ringproof/silicon/explore.hpp>

#include <functional>
#include <optional>

namespace ringproof::silicon::a64 {

struct search_order {
    bool hangs_fail = true;            ///< whether a thread that waits for ever refutes
    bool shortest = false;             ///< go on after an execution that fails, and keep the shortest
    std::uint64_t most_executions = 0; ///< 0: all
    std::uint64_t shown = 0;           ///< complete executions to keep
    unsigned jobs = 1;                 ///< processes that search
};

/// Where a search is.
struct search_state {
    std::uint64_t executions = 0;
    double done = 0;    ///< the share of the tree that has been searched, about
    unsigned begun = 0; ///< how often it has begun anew, as more is known of the memory
};

/// Asked now and then; false ends the search.
using go_on = std::function<bool(const search_state&)>;

/// @param left of a search that was stopped, with what it had found; nothing: all of it
findings search(program& p, const search_order& order, const go_on& more,
                const std::optional<findings>& left = {});

/// Random executions. @param count at most so many
findings search_randomly(program& p, const search_order& order, std::uint64_t count, std::uint64_t seed,
                         const go_on& more);

/// The execution of a token; `executions` is 1 if it is complete.
/// @throws std::invalid_argument for a token of another program
findings replay(program& p, const search_order& order, const replay_token& token);

/// One pass through what the way takes. @param f to which is added what is found, while it is found
/// @throws learnt when it has to begin anew
void search_along(program& p, const search_order& order, way& by, const go_on& more, findings& f,
                  unsigned begun = 0);

/// One pass by this process, through a part of the tree.
struct part_search {
    way& by;
    const std::function<void()>& working;                ///< is called often; may throw to end it
    const std::function<std::uint64_t()>& one_execution; ///< counts one more, of all processes
};
/// @return whether it went through all of the part
bool search_part(program& p, const search_order& order, const part_search& how, findings& f);
/// What `working` throws when the time is over, or another process has ended the search.
struct stop_search {};

} // namespace ringproof::silicon::a64
