// SPDX-License-Identifier: Apache-2.0
// What is dead unless an exception is thrown.
#include "../programs/expect.hpp"
#include "../programs/programs.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

TEST_CASE("what is read where an exception is caught is not dead") {
    fails(programs::dead_state_caught_value_is_told, failure_kind::assertion);
}
TEST_CASE("what is read where an exception of the library is caught is not dead") {
    fails(programs::dead_state_value_caught_from_the_library_is_told, failure_kind::assertion);
}
TEST_CASE("what is read where an exception is caught that was never thrown before is not dead") {
    fails(programs::dead_state_value_caught_again_is_told, failure_kind::assertion);
}
TEST_CASE("a throw that no execution comes to keeps nothing alive") {
    exploration_options options;
    options.limits.reduce.dead_state = false;
    const exploration_result with = run(programs::dead_state_nothing_is_thrown),
                             without = explore(programs::dead_state_nothing_is_thrown, options);
    CHECK(with.error.kind == failure_kind::nothing);
    CHECK(with.executions + with.blocked < without.executions + without.blocked);
}
