// SPDX-License-Identifier: Apache-2.0
// What any way on from a loop reads is not dead.
#include "../programs/expect.hpp"
#include "../programs/programs.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

TEST_CASE("what a loop saw last is told behind it, so it is not dead") {
    fails(programs::dead_state_last_value_is_told, failure_kind::assertion);
}
TEST_CASE("what a loop saw first is told behind it, so it is not dead") {
    fails(programs::dead_state_first_value_is_told, failure_kind::assertion);
}
TEST_CASE("what a function of the program is given is not dead") {
    fails(programs::dead_state_value_is_given_to_a_function, failure_kind::assertion);
}
TEST_CASE("what is called through a variable may be another function by then") {
    fails(programs::dead_state_function_is_replaced, failure_kind::assertion);
}
