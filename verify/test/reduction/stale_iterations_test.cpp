// SPDX-License-Identifier: Apache-2.0
// A branch with an iteration that fails for a value which was replaced is dropped: the executions are the same, and fewer are
// blocked.
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
