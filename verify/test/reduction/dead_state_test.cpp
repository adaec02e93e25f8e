// SPDX-License-Identifier: Apache-2.0
// Two states of a thread are one when they differ in nothing that it reads again.
#include "../programs/expect.hpp"
#include "../programs/programs.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

namespace {

exploration_result without(void (*program)()) {
    exploration_options options;
    options.limits.reduce.dead_state = false;
    return explore(program, options);
}

} // namespace

TEST_CASE("a stack word that is read through a pointer is not dead before it is written") {
    fails(programs::dead_state_read_through_a_pointer, failure_kind::assertion);
}
TEST_CASE("a stack word beside one that is pointed to is not dead") {
    fails(programs::dead_state_read_beside_a_pointer, failure_kind::assertion);
}
TEST_CASE("a stack word that is read through an old value of an atomic is not dead") {
    fails(programs::dead_state_read_through_an_old_pointer, failure_kind::assertion);
}
TEST_CASE("a stack word is not dead that an iteration keeps a pointer to for a while") {
    fails(programs::dead_state_read_through_a_pointer_of_the_iteration, failure_kind::assertion);
}
TEST_CASE("a stack word is not dead that is read through a copy of a pointer") {
    fails(programs::dead_state_read_through_a_copied_pointer, failure_kind::assertion);
}
TEST_CASE("a part of an object is not dead that is read by counting down from one that a list points to") {
    fails(programs::dead_state_read_by_counting_down, failure_kind::assertion);
}
TEST_CASE("what a failed compare-exchange wrote is dead where it is set anew before it is read") {
    holds(programs::dead_state_expected_value_is_set_anew, 36);
    CHECK(run(programs::dead_state_expected_value_is_set_anew).blocked == 0);
    const exploration_result all = without(programs::dead_state_expected_value_is_set_anew);
    CHECK(all.executions == 36);
    CHECK(all.blocked >= run(programs::dead_state_expected_value_is_set_anew).blocked); // more with g++
}
