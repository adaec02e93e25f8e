// SPDX-License-Identifier: Apache-2.0
#include "simulated.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;

TEST_CASE("why an outcome is forbidden: the check and the cycle") {
    const loaded_test t = load_test({"t.litmus", store_buffering}, 2);
    limits l;
    l.why = true;
    const simulation s = simulate(t.text, t.what, model::load("sc", {}), l);
    REQUIRE(s.why);
    CHECK(s.why->test == "acyclic");
    std::string relations;
    for (std::size_t i = 0; i < s.why->cycle.size(); ++i) {
        relations += s.why->cycle[i].relation + " ";
        CHECK(s.why->cycle[i].to == s.why->cycle[(i + 1) % s.why->cycle.size()].from);
    }
    CHECK((relations == "po fr po fr " || relations == "fr po fr po "));
    CHECK_FALSE(simulate(t.text, t.what, model::load("x86-tso", {}), l).why); // it is allowed there
}
