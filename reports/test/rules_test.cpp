// SPDX-License-Identifier: Apache-2.0
#include "rules.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <string>

using namespace ringproof::report;

TEST_CASE("each kind has an id of its own, a title, and help in whole sentences") {
    std::set<std::string_view> kinds, ids;
    for (const rule& r : all_rules()) {
        INFO(r.id);
        CHECK(kinds.insert(r.kind).second);
        CHECK(ids.insert(r.id).second);
        CHECK(r.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz-") == std::string_view::npos);
        CHECK_FALSE(r.title.empty());
        CHECK(r.about.ends_with('.'));
        CHECK(r.advice.ends_with('.'));
    }
    CHECK(kinds.size() > 15);
}
TEST_CASE("what the checker finds has a rule of its own, anything else the last one") {
    // As verify/src/trace/counterexample.cpp names them; nothing but the documents connects the two.
    for (const char* kind :
         {"assertion", "race", "deadlock", "livelock", "lock misuse", "unhandled exception", "wild access",
          "use after free", "double free", "abort", "mixed size", "nondeterminism", "limit", "unsupported",
          "uninitialised read", "leak"})
        CHECK(rule_of(kind).kind == kind);
    CHECK(rule_of("race").id == "data-race");
    CHECK(rule_of("of next year").id == "other");
}
