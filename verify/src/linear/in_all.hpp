// SPDX-License-Identifier: Apache-2.0
#pragma once
// Clients in which each call has a thread of its own, which stand for all clients that make the same calls: in_all.cpp.

#include "registry.hpp"

#include <string>

namespace ringproof::verify::linear {

/// Sets in a search, before its first client, what such clients need. @return why they cannot be used here, or nothing
std::string prepare_in_all(const linear_options& options);

// Of check.cpp.
/// Of each call whether it says "no" for no other reason than that one of another thread is under way.
std::vector<bool> failures_for_no_reason(const registered_test& test, const history& h);
/// "not linearizable: no order of these calls explains …", and the history.
std::string not_explained(const registered_test& test, unsigned client, const history& h,
                          const explanation& e, bool order_added = false);

} // namespace ringproof::verify::linear
