// SPDX-License-Identifier: Apache-2.0
#include "simulated.hpp"

#include <catch2/catch.hpp>

using namespace ringproof::litmus;

TEST_CASE("what a condition can say is what its parts say") {
    const auto positive = [](const std::string& condition) {
        return run(store_buffering.substr(0, store_buffering.find("exists")) + condition, "sc").positive;
    };
    CHECK(positive("exists (0:EAX=1)") == 2);
    CHECK(positive("exists (0:EAX!=1)") == 1);
    CHECK(positive("exists (0:EAX=1 /\\ 1:EAX=1)") == 1);
    CHECK(positive("exists (0:EAX=1 \\/ 1:EAX=1)") == 3);
    CHECK(positive("exists (0:EAX=1 => 1:EAX=1)") == 2);
    CHECK(positive("exists (0:EAX=0 => 1:EAX=1)") == 3);
    CHECK(positive("exists (not (0:EAX=1))") == 1);
    CHECK(positive("exists (true)") == 3);
    CHECK(positive("exists (false)") == 0);
}

TEST_CASE("a proposition of which some values are known can hold, fail, or both") {
    const loaded_test t = load_test({"t.litmus", store_buffering}, 2);
    const question q(t.text, t.what);
    REQUIRE(q.shown.size() == 2); // 0:EAX, 1:EAX; the condition asks for both to be 0
    const auto outlook = [&](std::int64_t first, std::int64_t second, bool first_known, bool second_known) {
        return q.outlook_of(q.final, {{first, -1}, {second, -1}}, {first_known, second_known});
    };
    CHECK(q.satisfied_by({{0, -1}, {0, -1}}));
    CHECK_FALSE(q.satisfied_by({{0, -1}, {1, -1}}));
    CHECK(outlook(0, 0, true, true).can_hold);
    CHECK_FALSE(outlook(0, 0, true, true).can_fail);
    CHECK(outlook(0, 1, true, false).can_hold); // what is not known may be 0
    CHECK(outlook(0, 1, true, false).can_fail);
    CHECK_FALSE(outlook(1, 0, true, false).can_hold);
    CHECK(outlook(1, 0, true, false).can_fail);
    CHECK(outlook(1, 1, false, false).can_hold);
    CHECK(outlook(0, 0, false, false).can_fail);
}

TEST_CASE("a location that no thread names is shown with its initial value") {
    const loaded_test t =
        load_test({"t.litmus", "X86 T\n{ z=7; }\n P0 ;\n MOV [x],$1 ;\nlocations [z;]\nexists (x=1)"}, 2);
    const simulation s = simulate(t.text, t.what, model::load("sc", {}), {});
    REQUIRE(s.states.size() == 1);
    CHECK(state_text(s, s.states[0]) == "[x]=1; [z]=7;");
}
