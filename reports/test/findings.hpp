// SPDX-License-Identifier: Apache-2.0
#pragma once
// A document with one refuted program, to be changed a little by each test.
#include "summary.hpp"

#include <string>

inline ringproof::report::json event_at(int id, const std::string& kind, const std::string& file, int line,
                                        const std::string& location = "f.data") {
    return {{"id", id},     {"thread", id % 2}, {"kind", kind}, {"location", location},
            {"file", file}, {"line", line}};
}

inline ringproof::report::json refuted_program() {
    using ringproof::report::json;
    json found{
        {"kind", "race"},
        {"message", "data race on f.data"},
        {"replay", "T"},
        {"replay_command", {"ringproof", "check", "--program", "my flag", "--replay", "T"}},
        {"culprits", {2, 3}},
        {"events",
         {event_at(1, "create", "tests/flag.cpp", 9, ""), event_at(2, "plain-write", "include/flag.hpp", 6),
          event_at(3, "plain-read", "include/flag.hpp", 9)}}};
    json result{{"name", "my flag"}, {"model", "rc11"},        {"verdict", "refuted"},
                {"ok", false},       {"executions", 0},        {"file", "tests/flag.cpp"},
                {"line", 1},         {"counterexample", found}};
    return {{"schema", "ringproof-verify/1"},
            {"tool", {{"name", "ringproof"}, {"version", "0"}}},
            {"results", json::array({result})}};
}
