// SPDX-License-Identifier: Apache-2.0
// A pointer to freed memory may be left out only where nothing reads it again.
#include "forgotten.hpp"

#include "../programs/expect.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

TEST_CASE("a pointer to freed memory is not forgotten that is read again") {
    fails(forgotten::not_yet, failure_kind::assertion);
}
TEST_CASE("a pointer to freed memory is not forgotten that a function is given on the stack") {
    fails(forgotten::not_as_an_argument, failure_kind::assertion);
}
TEST_CASE("a pointer to freed memory is not forgotten whose address a function is given") {
    fails(forgotten::not_by_a_function, failure_kind::assertion);
}
TEST_CASE(
    "a pointer to freed memory is not forgotten that is read by counting down from its object's address") {
    fails(forgotten::not_by_counting_down, failure_kind::assertion);
}
TEST_CASE("a pointer to freed memory is not forgotten that is read from another base of its object") {
    fails(forgotten::not_through_another_base, failure_kind::assertion);
}
TEST_CASE("a pointer to freed memory is not forgotten whose address is in a variable") {
    fails(forgotten::not_through_a_variable, failure_kind::assertion);
}
TEST_CASE("a pointer to freed memory is not forgotten whose address is in another local") {
    fails(forgotten::not_through_a_local, failure_kind::assertion);
}
TEST_CASE("a pointer to freed memory is not forgotten that a handler reads") {
    fails(forgotten::not_behind_a_throw, failure_kind::assertion);
}
TEST_CASE("a pointer to freed memory is not forgotten that a handler of the library's exception reads") {
    fails(forgotten::not_behind_a_throw_by_the_library, failure_kind::assertion);
}
TEST_CASE("a pointer to freed memory is not forgotten where accesses are not instrumented") {
    fails(forgotten::not_without_instrumentation, failure_kind::assertion);
}
TEST_CASE("a vector that has grown forgets its freed memory, so one allocator is enough") {
    exploration_options options;
    options.limits.reduce.symmetry = true;
    const exploration_result found = explore(forgotten::by_a_vector, options);
    CHECK(found.executions == 1);
    CHECK(found.permutations == 720);
    options.limits.reduce.dead_state = false;
    CHECK(explore(forgotten::by_a_vector, options).executions == 2);
}
