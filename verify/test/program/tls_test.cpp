// SPDX-License-Identifier: Apache-2.0
#include "../programs/expect.hpp"
#include "../programs/programs.hpp"

using namespace ringproof::verify::test;
using ringproof::verify::failure_kind;

TEST_CASE("each thread has its own thread_local variables") { holds(programs::thread_locals_are_apart, 1); }
TEST_CASE("thread_local variables have addresses of their own, which can be handed over") {
    holds(programs::thread_local_handed_over, 1);
    holds(programs::queue_lock_of_thread_locals, 4); // who comes first; whether the other is seen at the end
    CHECK(run(programs::queue_lock_of_thread_locals_relaxed).error.kind == failure_kind::data_race);
    fails(programs::thread_local_raced_for, failure_kind::data_race);
    fails(programs::thread_local_outlived, failure_kind::use_after_free, "thread_local");
}
TEST_CASE("thread_local objects are destroyed with their thread") {
    holds(programs::thread_locals_are_destroyed, 2);
}
TEST_CASE("a static object is initialised once, whoever comes first") {
    holds(programs::statics_are_initialised_once);
}
TEST_CASE("an initialisation that throws is tried again") {
    holds(programs::static_that_throws_is_tried_again);
}
TEST_CASE("a static object is not protected once it is there") {
    fails(programs::static_is_not_guarded_afterwards, failure_kind::data_race);
}
TEST_CASE("threads throw and catch exceptions of their own") {
    holds(programs::exceptions_in_several_threads);
}
TEST_CASE("an exception that nobody catches is found") {
    fails(programs::unhandled_exception, failure_kind::unhandled_exception, "nobody catches this");
}
TEST_CASE("each thread has its own errno") { holds(programs::errno_is_apart, 2); }
TEST_CASE("pthread keys hold values for each thread, and destroy them") {
    holds(programs::keys_hold_values, 2);
}
TEST_CASE("shared_ptr counts its owners in several threads") { holds(programs::shared_pointers_count); }
TEST_CASE("a shared_ptr that two threads change is a race") {
    fails(programs::shared_pointer_itself_races, failure_kind::data_race);
}
