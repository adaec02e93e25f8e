// SPDX-License-Identifier: Apache-2.0
#pragma once
// The orders that an execution which fails lacks: which instructions would have to order more for it to be forbidden, and
// whether the program is verified then.

#include "search.hpp"

namespace ringproof::silicon::a64 {

/// Looks first for loads that would have to acquire and stores that would have to release, then for barriers, which are
/// kept if they are fewer. Where another execution fails with those, what it lacks is added, and so on. The program is
/// in the end what it was.
/// @param f a search's failure and its execution; gets `interleaving`, `missing` and `more_missing`
/// @param seconds to look for, about
void find_missing_orders(program& p, const search_order& order, findings& f, double seconds);

} // namespace ringproof::silicon::a64
