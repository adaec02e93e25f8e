// SPDX-License-Identifier: Apache-2.0
#include "../programs/c11.h"
#include "../programs/expect.hpp"

using namespace ringproof::verify::test;
using ringproof::verify::failure_kind;

TEST_CASE("__VERIFIER_assume stops the executions in which it does not hold") {
    holds(verifier_assume, 1);
    ringproof::verify::exploration_options options;
    options.limits.reduce.assumed_read = false;
    CHECK(ringproof::verify::explore(verifier_assume, options).blocked == 1);
    CHECK(run(verifier_assume).blocked == 0); // the read before it is not made
}
TEST_CASE("__VERIFIER_error behind two choices is reached, and replayed") {
    fails(verifier_nondet, failure_kind::assertion, "__VERIFIER_error");
}
TEST_CASE("both values of a bool are explored") { holds(verifier_bool, 8); }
TEST_CASE("a number without a bound leaves the verdict open") {
    CHECK(run(verifier_nondet).bounds.size() == 1);
}

TEST_CASE("threads are spawned and joined by the checker's names") { holds(verifier_spawn, 2); }
