// SPDX-License-Identifier: Apache-2.0
#pragma once
// What the tests of models share: a text as a graph, and its first check in an execution of three events.

#include "../../src/cat/evaluator.hpp"
#include "../../src/cat/interpreter.hpp"

#include <string>

namespace ringproof::litmus::cat {

inline graph run(const std::string& text) { return interpret(*parse_model({"m.cat", "\"m\"\n" + text}), {}); }

inline std::string error_of(const std::string& text) {
    try {
        run(text);
    } catch (const syntax_error& e) {
        return std::string(e.what()).substr(0, std::string(e.what()).find('\n'));
    }
    return "";
}

/// Three events, program order 0 -> 1 -> 2; the first and the last in W, the middle one in R.
struct small_execution : base_values {
    void fill(const std::string& name, bool is_set, word* to) const override {
        if (is_set && name == "W") to[0] = 0b101;
        if (is_set && name == "R") to[0] = 0b010;
        if (!is_set && name == "po") to[0] = 0b110, to[1] = 0b100;
    }
};

inline bool first_check_holds(const std::string& text) {
    const small_execution execution;
    setting s;
    s.size = extent(3);
    s.execution = &execution;
    const graph g = interpret(*parse_model({"m.cat", "\"m\"\n" + text}), s);
    evaluator e(g);
    e.start(extent(3), execution);
    return e.holds(g.checks.at(0));
}

} // namespace ringproof::litmus::cat
