// SPDX-License-Identifier: Apache-2.0
// Loops that store in each iteration have an end where their thread has what it stores in for itself; and no execution is lost
// where others look at it.
#include "../programs/expect.hpp"
#include "../programs/own_stores.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

namespace {

/// Whatever the order of threads, and under all models. @return the executions under rc11, in the usual order
template <class Check>
exploration_result in_all(void (*program)(), Check check) {
    exploration_result usual;
    in_models_and_orders([&](exploration_options& options) {
        options.limits.execution_events = 300;
        options.limits.reduce.symmetry = false;
        const exploration_result each = explore(program, options);
        options.limits.reduce.symmetry = true;
        usual = explore(program, options);
        CAPTURE(usual.executions, usual.blocked, usual.error.message);
        if (each.error.kind == failure_kind::nothing) CHECK(each.permutations == usual.permutations);
        CHECK((each.error.kind == failure_kind::nothing) == (usual.error.kind == failure_kind::nothing));
        check(usual);
    });
    return usual;
}

exploration_result ends(void (*program)()) {
    return in_all(program, [](const exploration_result& r) {
        CHECK(r.error.message == "");
        CHECK_FALSE(r.stopped);
        CHECK(r.executions > 0);
        CHECK(entered(r, assumption::own_store) > 0);
    });
}

} // namespace

TEST_CASE("a lock that is tried has one execution, though each try writes the thread's node") {
    const auto program = GENERATE(programs::tries_a_lock_with_a_node_of_its_own,
                                  programs::tries_a_lock_with_two_words_of_its_node);
    const exploration_result r = ends(program);
    CHECK(r.executions == 1);
    CHECK(r.permutations == 6);
    CHECK(r.blocked == 0);
    exploration_options options;
    options.limits.execution_events = 300;
    options.limits.reduce.own_store = false;
    CHECK_THAT(explore(program, options).error.message, Catch::Matchers::Contains("more than 300 events"));
}
TEST_CASE("a node that another thread links behind the lock is its thread's own before") {
    CHECK(ends(programs::tries_a_lock_beside_one_who_queues).executions == 4);
    ends(programs::takes_a_lock_twice_with_one_node);
}
TEST_CASE("a first attempt before the loop is one like the others") {
    const exploration_result r = ends(programs::tries_a_lock_once_before_it_loops);
    CHECK(r.executions == 1);
    CHECK(r.permutations == 2);
}
TEST_CASE("one function may store in memory of a thread, and in what others look at") {
    ends(programs::stores_by_a_function_that_others_use);
}
TEST_CASE("a lock that is tried for ever is found, and found again") {
    fails(programs::tries_a_lock_that_is_never_released, failure_kind::livelock);
}
TEST_CASE("no execution is lost where another thread writes what a loop stores again and again") {
    in_all(GENERATE(programs::stores_what_another_overwrites,
                    programs::stores_what_another_overwrites_who_was_told_before),
           [](const exploration_result& r) { CHECK(r.error.kind != failure_kind::nothing); });
}
TEST_CASE("a loop that stores what another thread looks at, or two values, has no end") {
    in_all(GENERATE(programs::stores_what_another_looks_at, programs::stores_one_value_and_then_another),
           [](const exploration_result& r) {
               CHECK_THAT(r.error.message, Catch::Matchers::Contains("more than 300 events"));
               CHECK(entered(r, assumption::own_store) == 0);
           });
}
