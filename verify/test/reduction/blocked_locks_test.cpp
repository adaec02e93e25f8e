// SPDX-License-Identifier: Apache-2.0
// Threads that wait for a lock read it again when it has changed: there is one execution for each order in which it is
// taken, and no execution that ends with a thread still waiting.
#include "../programs/expect.hpp"
#include "../programs/programs.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

namespace {

/// Of a program that may hang.
exploration_result explored(void (*program)(), memory_model model, bool reduced) {
    exploration_options options;
    options.model = model;
    options.limits.reduce.blocked_lock = reduced;
    options.limits.hangs_refute = false;
    options.digest = true;
    return explore(program, options);
}
exploration_result without(void (*program)(), memory_model model = memory_model::rc11) {
    return explored(program, model, false);
}

} // namespace

TEST_CASE("four threads take a mutex in 24 orders, and no execution is blocked") {
    holds(programs::locks_four_threads_one_mutex, 24);
    CHECK(run(programs::locks_four_threads_one_mutex).blocked == 0);
    const exploration_result all = without(programs::locks_four_threads_one_mutex);
    CHECK(all.executions == 24);
    CHECK(all.blocked > 0);
}
TEST_CASE("a loop around a test-and-set waits like a mutex") {
    holds(programs::locks_four_threads_one_exchange, 24);
    CHECK(run(programs::locks_four_threads_one_exchange).blocked == 0);
    CHECK(without(programs::locks_four_threads_one_exchange).blocked > 0);
}
TEST_CASE("a lock that is looked at before it is taken has an execution for each write that a look can see") {
    holds(programs::locks_three_threads_test_and_compare, 36);
    CHECK(without(programs::locks_three_threads_test_and_compare).executions == 36);
    CHECK(run(programs::locks_three_threads_test_and_compare).blocked <
          without(programs::locks_three_threads_test_and_compare).blocked);
}
TEST_CASE("who waits for one of two does not wait for ever when the first has come") {
    holds(programs::locks_either_of_two_flags, 1);
}
TEST_CASE("a lock by test-and-set that is let go of without release races") {
    CHECK(run(programs::locks_exchange_without_release).error.kind == failure_kind::data_race);
}
TEST_CASE("two mutexes in both orders are a deadlock") {
    fails(programs::locks_two_in_both_orders, failure_kind::deadlock);
}
TEST_CASE("who holds a mutex and waits for who wants it waits for ever") {
    const exploration_result r = run(programs::locks_holder_waits_for_the_other);
    CHECK((r.error.kind == failure_kind::livelock || r.error.kind == failure_kind::deadlock));
}
TEST_CASE("to the memory models a read that saw the mutex taken is nothing") {
    for (const memory_model model : {memory_model::sc, memory_model::tso}) {
        CHECK(run(programs::locks_mutex_after_a_store, model).executions == 4);
        CHECK(without(programs::locks_mutex_after_a_store, model).executions == 4);
    }
}
TEST_CASE("a lock that is opened by a store that nothing orders is explored as published") {
    for (const memory_model model :
         {memory_model::rc11, memory_model::sc, memory_model::tso, memory_model::ra}) {
        const exploration_result some = explored(programs::locks_taken_and_opened_by_others, model, true),
                                 all = explored(programs::locks_taken_and_opened_by_others, model, false);
        CHECK(some.executions > 0);
        CHECK(some.executions == all.executions);
        CHECK(some.digest == all.digest);
    }
}
