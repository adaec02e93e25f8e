// SPDX-License-Identifier: Apache-2.0
#include "simulated.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace ringproof::litmus;

TEST_CASE("the picture of an execution has each event with its values, and the relations between them") {
    const loaded_test t = load_test({"t.litmus", "X86 T\n{ }\n P0 | P1 ;\n MOV [x],$1 | MOV EAX,[x] ;\n"
                                                 " | MOV [x],$2 ;\nexists (1:EAX=1 /\\ x=2)"},
                                    2);
    limits l;
    l.keep = 1;
    const simulation s = simulate(t.text, t.what, model::load("sc", {}), l);
    REQUIRE(s.executions.size() == 1);
    const execution& x = s.executions[0];
    CHECK(x.witness);
    const auto kinds = [&](const std::string& kind) {
        return std::count_if(x.events.begin(), x.events.end(), [&](const auto& e) { return e.kind == kind; });
    };
    CHECK(kinds("init") == 1);
    CHECK(kinds("W") == 2);
    CHECK(kinds("R") == 1);
    const auto read =
        std::find_if(x.events.begin(), x.events.end(), [](const auto& e) { return e.kind == "R"; });
    CHECK(read->loaded == "1");
    const auto edges = [&](const std::string& name) -> std::size_t {
        for (const auto& [relation, all] : x.relations)
            if (relation == name) return all.size();
        return 0;
    };
    CHECK(edges("rf") == 1);
    CHECK(edges("co") == 2); // steps only
    CHECK(edges("fr") == 1);
    CHECK(edges("po") == 1);
}
