// SPDX-License-Identifier: Apache-2.0
#pragma once
// --estimate: how many executions a search would find, and how long it would take.

#include "search.hpp"

#include <ringproof/command/document.hpp>

namespace ringproof::silicon::a64 {

struct estimate {
    double executions = 0;    ///< complete ones
    double low = 0, high = 0; ///< of 95 % confidence
    double seconds = 0;       ///< that the search would take
    std::uint64_t walks = 0;
    bool exact = false; ///< the search was that short: it was done
    bool known = true;  ///< false: the walks differ so much that `low` is all that can be said
    findings seen;      ///< a failure on the way is in it
};

/// Searches for half of the time. If that does not finish, random walks for the other half say how large the tree is.
/// @param more is asked now and then; false ends it
estimate estimate_executions(program& p, const search_order& order, double seconds, std::uint64_t seed,
                             const std::function<bool()>& more);

std::string in_words(const estimate& e);
command::json to_json(const estimate& e, const std::string& name);

} // namespace ringproof::silicon::a64
