// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "../command/run_binary.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

namespace ringproof::verify::test {

using nlohmann::json;

inline program_run run_named(const std::string& name) {
    return run_binary({RINGPROOF_TEST_NAMED, "=" + name, "--verbose", "--json", "-"});
}
inline json counterexample_named(const std::string& name) {
    return json::parse(run_named(name).out).at("results").at(0).at("counterexample");
}

/// "named.cpp:12", of the line of the fixture that holds `text`.
inline std::string place_of(const std::string& text) {
    std::istringstream source(content_of(RINGPROOF_TEST_NAMED_SOURCE));
    int line = 0;
    for (std::string l; std::getline(source, l);) {
        ++line;
        if (l.find(text) != std::string::npos) return "named.cpp:" + std::to_string(line);
    }
    return "nowhere";
}

/// What the scenario's race is on: "rb->nest".
inline std::string raced(const std::string& name) {
    const std::string message = counterexample_named(name).at("message"), begin = "data race on ";
    return message.starts_with(begin) ? message.substr(begin.size(), message.find(": ") - begin.size())
                                      : message;
}

} // namespace ringproof::verify::test
