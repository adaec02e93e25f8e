// SPDX-License-Identifier: Apache-2.0
// Functions of other libraries leave registers as they are, and read none of the program's that they are not given.
#include "../programs/expect.hpp"
#include "../programs/programs.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

TEST_CASE("what a loop saw is told behind a function of a library, so it is not dead") {
    fails(programs::dead_state_value_is_told_behind_a_library, failure_kind::assertion);
}
TEST_CASE("a function of a library that follows a loop reads nothing that the loop left") {
    holds(programs::dead_state_library_follows);
}
