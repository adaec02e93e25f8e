// SPDX-License-Identifier: Apache-2.0
// Copies of what is not read again are not read again either.
#include "../programs/dead_numbers.hpp"
#include "../programs/expect.hpp"
#include "../programs/programs.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

TEST_CASE("a copy that is told is not dead, nor what is made of it") {
    fails(programs::dead_state_copy_is_told, failure_kind::assertion);
    fails(programs::dead_state_flag_of_a_copy_is_told, failure_kind::assertion);
}
TEST_CASE("copies that nobody tells of are dead") {
    exploration_options all;
    all.limits.reduce.dead_state = false;
    all.limits.rounds = 6;
    const exploration_result without = explore(programs::dead_state_nobody_tells_of_a_copy, all);
    const exploration_result with = run(programs::dead_state_nobody_tells_of_a_copy);
    CAPTURE(with.executions, with.blocked, with.steps.size(), without.executions, without.blocked);
    CHECK(without.executions + without.blocked > with.executions + with.blocked);
    holds(programs::dead_state_nobody_tells_of_a_copy);
}

#if defined(__x86_64__)
TEST_CASE("what is read behind a number that has changed is not dead") {
    fails(programs::dead_numbers_call_returns, failure_kind::assertion);
    fails(programs::dead_numbers_register_is_written, failure_kind::assertion);
    fails(programs::dead_numbers_local_is_written, failure_kind::assertion);
    fails(programs::dead_numbers_byte_of_a_local_is_written, failure_kind::assertion);
    fails(programs::dead_numbers_local_is_known_to_others, failure_kind::assertion);
    fails(programs::dead_numbers_library_writes_a_local, failure_kind::assertion);
    fails(programs::dead_numbers_library_is_given_a_local_on_the_stack, failure_kind::assertion);
    fails(programs::dead_numbers_exchange_writes_what_it_saw, failure_kind::assertion);
    fails(programs::dead_numbers_address_is_lost, failure_kind::assertion);
    fails(programs::dead_numbers_byte_is_written, failure_kind::assertion);
}
TEST_CASE("what is read on the side of a branch that is taken is not dead") {
    fails(programs::dead_numbers_arithmetic_sets_flags, failure_kind::assertion);
    fails(programs::dead_numbers_number_is_negative, failure_kind::assertion);
    fails(programs::dead_numbers_numbers_are_equal, failure_kind::assertion);
}
TEST_CASE("what is copied, decides or is given away is not dead") {
    fails(programs::dead_numbers_register_is_copied, failure_kind::assertion);
    fails(programs::dead_numbers_local_is_copied, failure_kind::assertion);
    fails(programs::dead_numbers_flag_decides, failure_kind::assertion);
    fails(programs::dead_numbers_flag_is_kept, failure_kind::assertion);
    fails(programs::dead_numbers_flag_chooses, failure_kind::assertion);
    fails(programs::dead_numbers_argument_of_a_library, failure_kind::assertion);
}
#endif
