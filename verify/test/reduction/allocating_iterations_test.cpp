// SPDX-License-Identifier: Apache-2.0
#include "../programs/allocating.hpp"
#include "../programs/expect.hpp"

using namespace ringproof::verify;
using namespace ringproof::verify::test;

namespace {

/// Holds, in no more than so many executions, and has no end without the reduction. How many depends on what the compiler's
/// code keeps on the stack: whether a second round has to show that it does what the first did, and two allocators do.
void ends(void (*program)(), std::uint64_t most) {
    holds(program);
    CHECK(run(program).executions <= most);
    CHECK(entered(run(program), assumption::allocating_iteration) > 0);
    exploration_options options;
    options.limits.reduce.allocating_iteration = false;
    options.limits.executions = 2'000;
    options.limits.execution_events = 250;
    const exploration_result r = explore(program, options);
    CHECK((r.stopped || r.error.kind == failure_kind::limit));
}

} // namespace

TEST_CASE("a loop that waits with a temporary on the heap ends") {
    ends(programs::waits_with_a_temporary, 6);
}
TEST_CASE("a loop that pushes a string anew in each round ends") { ends(programs::pushes_strings, 6); }
TEST_CASE("a loop that makes a request in each round ends") { ends(programs::sends_requests, 6); }
TEST_CASE("a loop that copies a list in each round ends") { ends(programs::copies_a_list, 6); }
TEST_CASE("a loop that gathers pointers in a vector ends") { ends(programs::looks_through_a_vector, 6); }
TEST_CASE("a loop that renews its only block in each round ends") { ends(programs::renews_what_it_keeps, 6); }
TEST_CASE("a loop whose blocks change places ends") { ends(programs::exchanges_blocks_with_a_loop, 8); }

TEST_CASE("a loop that allocates and waits for ever is a livelock, and so is its replay") {
    fails(programs::waits_with_a_temporary_for_ever, failure_kind::livelock);
}
TEST_CASE("a block of the round before is found when it is used") {
    fails(programs::uses_the_block_of_the_last_round, failure_kind::use_after_free);
    fails(programs::uses_it_when_it_sees_something_else, failure_kind::use_after_free);
    fails(programs::uses_a_hidden_block_of_the_last_round, failure_kind::use_after_free);
}
TEST_CASE("a block of the round before is found when it is freed again") {
    fails(programs::frees_the_block_of_the_last_round_again, failure_kind::double_free);
}
TEST_CASE("a block of which another thread knows is found when it is used") {
    CHECK(run(programs::shows_its_block).error.kind != failure_kind::nothing);
    CHECK(run(programs::shows_its_block_and_takes_it_back).error.kind != failure_kind::nothing);
    CHECK(run(programs::shows_its_block_by_an_atomic).error.kind != failure_kind::nothing);
}
TEST_CASE("a block that each round loses is a leak") {
    exploration_options options;
    options.limits.leaks = true;
    options.limits.seconds = 60;
    CHECK(explore(programs::loses_a_block_in_each_round, options).error.kind == failure_kind::leak);
}
TEST_CASE("a new block that has the address of the last one is found") {
    fails(programs::takes_a_new_block_for_the_last_one, failure_kind::assertion);
}
TEST_CASE("rounds that differ in what their blocks hold are explored") {
    fails(programs::keeps_a_number_in_its_block, failure_kind::assertion);
    fails(programs::gives_up_by_a_number_in_its_block, failure_kind::assertion);
    fails(programs::counts_as_far_as_the_heap_grows, failure_kind::assertion);
}
