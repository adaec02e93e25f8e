// SPDX-License-Identifier: Apache-2.0
// The order in which threads come to a barrier is explored where a thread can tell.
#include "../programs/barriers.hpp"
#include "../programs/expect.hpp"
#include "../programs/programs.hpp"
#include "../programs/updates.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

TEST_CASE("three threads that meet twice have one execution, and 3!² with their orders") {
    holds(programs::barriers_hand_over_twice, 1);
    CHECK(entered(run(programs::barriers_hand_over_twice), assumption::arrival_order) > 0);
    exploration_options options;
    options.limits.reduce.barrier = false;
    CHECK(explore(programs::barriers_hand_over_twice, options).executions == 36);
}
TEST_CASE("what is written behind a barrier races with what others read there") {
    fails(programs::barriers_hand_over_too_early, failure_kind::data_race);
}
TEST_CASE("each thread may be told that it was the last to come to a barrier") {
    fails(programs::barriers_tell_the_first_that_it_was_last, failure_kind::assertion);
    fails(programs::barriers_tell_the_second_that_it_was_last, failure_kind::assertion);
}
TEST_CASE("where more come to a barrier than it is for, any of them may meet") {
    fails(programs::barriers_for_fewer_than_come, failure_kind::assertion);
}
TEST_CASE("a barrier for two that three come to hangs, in whichever order the threads are explored") {
    for (const bool reduced : {true, false})
        for (exploration_options options; options.limits.order_seed < 8; ++options.limits.order_seed) {
            options.limits.reduce.barrier = reduced;
            CAPTURE(options.limits.order_seed);
            CHECK(explore(programs::barriers_for_two_of_three, options).error.kind == failure_kind::deadlock);
            CHECK(explore(programs::barrier_for_two_of_three, options).error.kind == failure_kind::deadlock);
        }
}
TEST_CASE("a barrier that is made anew for fewer lets any of them meet") {
    fails(programs::barriers_are_made_anew_for_fewer, failure_kind::assertion);
}
