// SPDX-License-Identifier: Apache-2.0
#include "../programs/expect.hpp"
#include "../programs/others_locals.hpp"

using namespace ringproof::verify;
using namespace ringproof::verify::test;

TEST_CASE("a print into another thread's local is of one execution: told by a closure") {
    holds(programs::told_by_a_closure);
}
TEST_CASE("a print into another thread's local is of one execution: told by an argument") {
    holds(programs::told_by_an_argument);
}
TEST_CASE("a print into another thread's local is of one execution: told by an atomic") {
    holds(programs::told_by_an_atomic);
}
TEST_CASE("a print into another thread's local is of one execution: told by a copy") {
    holds(programs::told_by_a_copy);
}
TEST_CASE("a print into another thread's local ends with its execution") {
    holds(programs::told_before_the_end);
}
TEST_CASE("a round in which a library writes into another thread's local is not left out") {
    fails(programs::prints_into_others_while_waiting, failure_kind::assertion);
}
