// SPDX-License-Identifier: Apache-2.0
#pragma once
// Is there an order of the calls that explains what they returned? As Wing and Gong search it (Testing and verifying
// concurrent objects, JPDC 1993): the next call is one that no other has to come before.
//
// The invariant that the verdict rests on: an order is accepted only if it has each call once, each call stands behind
// all of `before`, and the oracle, asked for each prefix, allows the prefix's last call. A history is refuted only if each
// order with the first two properties has a prefix that the oracle does not allow. A prefix that is not allowed ends the
// search of all orders that begin with it, and nothing else does: so all orders are tried.

#include <ringproof/verify/linear.hpp>

#include <functional>
#include <string>
#include <vector>

namespace ringproof::verify::linear {

/// At most 32 calls.
struct history {
    std::vector<made_call> calls;
    std::vector<std::uint32_t> before; ///< of each call those that have to come before it, a bit each
    std::vector<bool> no_effect;       ///< those that may say "no" here, whatever the state; empty: none
    std::vector<std::string> names;    ///< of the threads
};

/// Whether a structure may return what the last of these calls returned, when the others are all of its past.
using oracle = std::function<bool(const made_call* calls, std::size_t n)>;

struct explanation {
    bool found = false;
    std::vector<unsigned> order; ///< of the calls. Not found: a longest beginning that is allowed
};

explanation explain(const history& h, const oracle& allows);

} // namespace ringproof::verify::linear
