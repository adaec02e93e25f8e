// SPDX-License-Identifier: Apache-2.0
// std::latch and std::barrier; those of libc: ../reduction/barriers_test.cpp.
#include "../programs/expect.hpp"
#include "../programs/updates.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

TEST_CASE("a latch hands over what was done before its counts") {
    holds(programs::latch_hands_over, 2);
    fails(programs::latch_hands_over_too_early, failure_kind::data_race);
}
TEST_CASE("a latch that is never counted down to zero is waited for in vain") {
    fails(programs::latch_is_never_zero, failure_kind::deadlock, "never counted down");
}
TEST_CASE("a latch is not counted down below zero") {
    fails(programs::latch_is_counted_below_zero, failure_kind::lock_misuse, "below zero");
}
TEST_CASE("who tries a latch may come early or late") {
    holds(programs::latch_is_tried);
    CHECK(run(programs::latch_is_tried).covered == std::set<std::string>{"not yet", "zero"});
}
TEST_CASE("three threads that meet twice at a std::barrier have one execution") {
    holds(programs::barrier_meets_twice, 1);
    exploration_options options;
    options.limits.reduce.barrier = false;
    CHECK(explore(programs::barrier_meets_twice, options).executions == 36);
}
TEST_CASE("a std::barrier calls its function between the last arrival and the first return") {
    holds(programs::barrier_calls_a_function, 16);
}
TEST_CASE("a thread leaves a std::barrier to the others") { holds(programs::barrier_is_left); }
TEST_CASE("a thread comes to a std::barrier, and waits later") {
    holds(programs::barrier_is_split);
    fails(programs::barrier_is_not_waited_for, failure_kind::data_race);
}
TEST_CASE("where a thread does not wait at once each order of arrival is explored") {
    exploration_options options;
    options.limits.reduce.barrier = false;
    for (const auto program : {programs::barrier_is_split, programs::barrier_is_come_to_in_passing}) {
        CHECK(run(program).executions == explore(program, options).executions);
        CHECK(run(program).executions > 1);
    }
}
TEST_CASE("a thread that comes to a std::barrier in passing may be the first or the last") {
    holds(programs::barrier_is_come_to_in_passing);
    CHECK(run(programs::barrier_is_come_to_in_passing).covered == std::set<std::string>{"before", "behind"});
}
