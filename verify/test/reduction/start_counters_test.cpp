// SPDX-License-Identifier: Apache-2.0
// The order in which threads come to a counter that all wait for is explored where a thread can tell.
#include "../programs/expect.hpp"
#include "../programs/programs.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

namespace {

std::uint64_t in_each_order(void (*program)()) {
    exploration_options options;
    options.limits.reduce.barrier = false;
    return explore(program, options).executions;
}

} // namespace

TEST_CASE("three threads that start at a counter have one execution, and 3! with their orders") {
    holds(programs::counters_start_three, 1);
    CHECK(entered(run(programs::counters_start_three), assumption::arrival_order) > 0);
    CHECK(in_each_order(programs::counters_start_three) == 6);
}
TEST_CASE("threads that come to a counter and wait for a flag have one execution") {
    holds(programs::counters_open_a_gate, 1);
    CHECK(in_each_order(programs::counters_open_a_gate) == 2);
}
TEST_CASE("who waits at a counter without acquiring races with who came later") {
    CHECK(run(programs::counters_waited_for_without_acquiring).error.kind == failure_kind::data_race);
}
TEST_CASE("who looks before it waits at a counter races with who came later") {
    fails(programs::counters_with_a_look_before_the_wait, failure_kind::data_race);
    fails(programs::counters_with_a_free_before_the_wait, failure_kind::data_race);
    fails(programs::counters_with_an_atomic_copied_before_the_wait, failure_kind::data_race);
}
TEST_CASE("each thread may be told that it was the last to come to a counter") {
    fails(programs::counters_tell_the_first_that_it_was_last, failure_kind::assertion);
    fails(programs::counters_tell_the_second_that_it_was_last, failure_kind::assertion);
}
TEST_CASE("who waits at a counter that another sets may not know of one that came") {
    exploration_options options;
    options.limits.hangs_refute = false; // set after both came, it is never enough
    CHECK(explore(programs::counters_that_are_set, options).error.kind == failure_kind::data_race);
}
TEST_CASE("a gate that opens before all have come to a counter tells who came first") {
    fails(programs::counters_and_a_gate_that_opens_early, failure_kind::data_race);
}
