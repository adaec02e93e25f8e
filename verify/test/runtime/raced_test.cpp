// SPDX-License-Identifier: Apache-2.0
// Accesses that race, made as relaxed atomic ones in pieces (exploration_limits::races_go_on).
#include "../programs/racing.hpp"

#include <ringproof/verify/explore.hpp>

#include <catch2/catch.hpp>

using namespace ringproof::verify;
using namespace programs;

namespace {

exploration_result behind_races(void (*program)()) {
    exploration_options o;
    o.limits.races_go_on = true;
    o.state = [] { return std::to_string(racing_seen[0]) + " " + std::to_string(racing_seen[1]); };
    return explore(program, o);
}

} // namespace

TEST_CASE("a copy of a structure that is written meanwhile is made of its words") {
    const exploration_result r = behind_races(copies_a_racing_record);
    CHECK(r.error.kind == failure_kind::nothing);
    CHECK(r.executions == 4);
    for (const char* seen : {"0 0", "0 1", "1 0", "1 1"}) CHECK(r.states.count(seen) == 1);
    REQUIRE(r.raced.size() >= 1);
    CHECK(r.assumptions.lower_bound({assumption::race, 0}) != r.assumptions.end());
}

TEST_CASE("a local variable that races has its last write, though the function that made it has returned") {
    const exploration_result r = behind_races(races_for_a_local);
    CHECK(r.error.kind == failure_kind::nothing);
    CHECK(r.states.size() == 2);
    CHECK(r.states.count("0 7") == 1);
    CHECK(r.states.count("7 7") == 1);
}

TEST_CASE("a plain access that races with an atomic one is made as an atomic one, too") {
    const exploration_result r = behind_races(reads_an_atomic_plainly);
    CHECK(r.error.kind == failure_kind::nothing);
    CHECK(r.executions == 2);
    CHECK(r.states.count("0 0") == 1);
    CHECK(r.states.count("1 0") == 1);
}

TEST_CASE("a race with free() stays an error") {
    const exploration_result r = behind_races(frees_what_races);
    CHECK((r.error.kind == failure_kind::data_race || r.error.kind == failure_kind::use_after_free));
}
