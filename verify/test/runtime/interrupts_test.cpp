// SPDX-License-Identifier: Apache-2.0
#include "../programs/expect.hpp"
#include "../programs/interrupts.hpp"

using namespace ringproof::verify;
using namespace ringproof::verify::test;

TEST_CASE("a handler comes into one of a lower level, and of no other") {
    holds(programs::handlers_of_one_level);
    fails(programs::handlers_of_two_levels, failure_kind::assertion);
}
TEST_CASE("a handler that is attached in a handler comes in before what follows") {
    fails(programs::handler_attached_in_a_handler, failure_kind::assertion);
}
TEST_CASE("a handler that touches nothing makes no difference") {
    holds(programs::handler_that_does_nothing, 1);
}
TEST_CASE("a handler comes in between plain writes, though it shows late what it touches") {
    fails(programs::handler_between_plain_writes, failure_kind::data_race);
}
TEST_CASE(
    "what a handler wrote is ordered before its thread's code by an acquire load, and by no relaxed one") {
    holds(programs::handler_data_after_an_acquire_load);
    fails(programs::handler_data_after_a_relaxed_load, failure_kind::data_race);
}
