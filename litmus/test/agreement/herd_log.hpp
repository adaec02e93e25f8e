// SPDX-License-Identifier: Apache-2.0
#pragma once
// What herd7 prints of a test, and whether it is what we find.

#include "../../src/enumerate/search.hpp"

#include <iosfwd>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace ringproof::litmus::agreement {

/// What is shown of an execution: name -> value, elements of arrays one by one.
using shown_state = std::map<std::string, std::string>;

struct expectation {
    std::vector<shown_state> states;
    std::string counts; ///< "Positive: 1 Negative: 2"
    std::string kind;   ///< of a catalogue; then there is nothing else
    std::set<std::string> flags;
    std::string text; ///< what was read
};

/// "0:X1=0x1; t={0x1,0x2};"
shown_state parse_state(const std::string& line);
expectation parse_log(std::istream& in);
/// Each of the one is in the other, whatever names and values are written as.
bool same_states(const std::vector<shown_state>& a, const std::vector<shown_state>& b);
/// "" if it is as expected. With `by_order` registers are compared in their order: generators of several versions
/// choose others.
std::string difference(const test& t, const simulation& s, expectation e, bool by_order);

} // namespace ringproof::litmus::agreement
