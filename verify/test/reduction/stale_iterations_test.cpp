// SPDX-License-Identifier: Apache-2.0
// A branch with an iteration that fails for a value which was replaced is dropped: the executions are the same, and fewer are
// blocked.
#include "../programs/links.hpp"
#include "../programs/sequence_locks.hpp"
#include "../programs/stale_expect.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

TEST_CASE("a queue popped in a loop has its executions, and hardly any that are blocked") {
    CHECK(fewer_blocked(programs::pushes_and_pops_in_loops) > 100);
    const exploration_result r = run(programs::pushes_and_pops_in_loops);
    CHECK(r.executions == 4);
    CHECK(r.blocked <= 2 * r.executions);
    CHECK(entered(r, assumption::stale_iteration));
}
TEST_CASE("readers of a sequence lock have no blocked executions") {
    const auto program = GENERATE(programs::reads_under_a_sequence_lock,
                                  programs::reads_under_a_sequence_lock_of_equal_values);
    CHECK(fewer_blocked(program) > 100);
    const exploration_result r = run(program);
    CHECK(r.permutations == 18); // 2! orders of the writers, times 3 states for each reader
    CHECK(r.blocked == 0);
}
TEST_CASE("readers of a sequence lock that does not order them have all their executions") {
    fewer_blocked(GENERATE(programs::reads_under_a_sequence_lock_without_fences,
                           programs::reads_under_a_sequence_lock_without_fences_of_readers,
                           programs::reads_under_a_sequence_lock_without_fences_of_writers,
                           programs::reads_under_a_sequence_lock_with_fences_that_do_not_acquire,
                           programs::reads_under_a_sequence_lock_that_one_writer_forgets));
}
TEST_CASE("a search that is stopped is gone on with, or begins from its beginning") {
    exploration_options options;
    options.digest = true;
    const auto program = GENERATE(programs::reads_under_a_sequence_lock, programs::pushes_and_pops_in_loops);
    const exploration_result whole = explore(program, options);
    options.limits.executions = whole.executions / 2;
    exploration_result stopped = explore(program, options);
    CHECK(stopped.stopped);
    CHECK(stopped.positions.empty());
    CHECK(stopped.lessons.empty());
    options.limits.resumable = true;
    stopped = explore(program, options);
    CHECK_FALSE(stopped.positions.empty());
    CHECK_FALSE(entered(stopped, assumption::stale_iteration));
    options.limits.executions = 0;
    options.resume = &stopped;
    const exploration_result rest = explore(program, options);
    CHECK(rest.executions == whole.executions);
    CHECK(rest.digest == whole.digest);
}
TEST_CASE("an iteration is explored whose value may be there again once another begins it anew") {
    fewer_blocked(programs::begins_anew_for_one_and_is_replaced_by_another);
}
TEST_CASE("several processes drop no branch, and have the executions that one has") {
    exploration_options options;
    const exploration_result one = explore(programs::pushes_and_pops_in_loops, options);
    options.jobs = 2;
    options.share_after = 0;
    const exploration_result two = explore(programs::pushes_and_pops_in_loops, options);
    CHECK(two.executions == one.executions);
    CHECK(two.blocked > one.blocked);
    CHECK_FALSE(entered(two, assumption::stale_iteration));
}
TEST_CASE("a search that keeps iterations drops no branch") {
    exploration_options options;
    options.limits.keep_iterations = true;
    const exploration_result kept = explore(programs::pushes_and_pops_in_loops, options);
    options.limits.reduce.stale_iteration = false;
    CHECK(kept.executions == explore(programs::pushes_and_pops_in_loops, options).executions);
    CHECK_FALSE(entered(kept, assumption::stale_iteration));
}
TEST_CASE("threads that push nodes of their own have no blocked executions") {
    CHECK(fewer_blocked(programs::pushes_of_unlike_threads) > 100);
    const exploration_result r = run(programs::pushes_of_unlike_threads);
    CHECK(r.executions == 6);
    CHECK(r.blocked == 0);
    CHECK(entered(r, assumption::stale_iteration));
}
TEST_CASE("what an attempt to push writes is looked at by others, counted, or not always written") {
    fewer_blocked(GENERATE(programs::pushes_and_gives_up_behind_one,
                           programs::pushes_beside_one_who_looks_behind, programs::pushes_and_counts_attempts,
                           programs::pushes_what_it_may_not_have_linked));
}
