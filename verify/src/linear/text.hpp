// SPDX-License-Identifier: Apache-2.0
#pragma once
// Histories for people.

#include "search.hpp"

#include <string>

namespace ringproof::verify::linear {

/// "push(1)"
std::string call_text(const operation& o, std::int64_t argument);
/// "pop() = 1"
std::string call_text(const operation& o, const made_call& c);

/// A line for each thread with an interval for each call. Of two calls one ends left of where the other begins exactly if it has to
/// come before; where no intervals are like that, the drawing shows more order than there is, and the pairs are listed.
std::string drawing(const history& h, const std::vector<operation>& operations);

/// Why no order explains the history.
std::string reason(const history& h, const std::vector<operation>& operations, const explanation& e);

} // namespace ringproof::verify::linear
