// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the tests of the front ends share: what a thread leaves behind when it runs alone, and the events of its first
// path.

#include "../../src/enumerate/search.hpp"
#include "../../src/frontend/front_ends.hpp"

#include <string>
#include <vector>

namespace ringproof::litmus {

inline loaded_test loaded(const std::string& text) { return load_test({"t.litmus", text}, 2); }

/// A thread of AArch64 with this code, X1 and X3 at x and y, of which X8 and x are looked at.
inline std::string arm(const std::string& code) {
    return "AArch64 T\n{ 0:X1=x; 0:X3=y; x=6; }\n P0 ;\n " + code + "\nlocations [0:X8; x;]\nexists (true)";
}

/// The one final state under sequential consistency, or how many there are.
inline std::string leaves(const std::string& text) {
    const loaded_test t = loaded(text);
    const simulation s = simulate(t.text, t.what, model::load("sc", {}), {});
    return s.states.size() == 1 ? state_text(s, s.states[0]) : std::to_string(s.states.size()) + " states";
}

/// Per event: R, W, RW or F, and the sets that its label puts it into.
inline std::vector<std::string> events_of(const std::string& text) {
    const loaded_test t = loaded(text);
    std::vector<std::string> all;
    for (const event& e : t.what.threads.at(0).at(0).events) {
        std::string one = std::string(e.is_read ? "R" : "") + (e.is_write ? "W" : "");
        for (const std::string& tag : tag_names(e.labels)) one += (one.empty() ? "" : " ") + tag;
        all.push_back(one);
    }
    return all;
}

inline std::string load_error(const std::string& text) {
    try {
        loaded(text);
    } catch (const syntax_error& e) {
        const std::string what = e.what();
        return what.substr(0, what.find('\n'));
    }
    return "";
}

} // namespace ringproof::litmus
