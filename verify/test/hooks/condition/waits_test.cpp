// SPDX-License-Identifier: Apache-2.0
#include "../../programs/expect.hpp"
#include "../../programs/programs.hpp"
#include "../../programs/shared_polls.hpp"

using namespace ringproof::verify::test;
using ringproof::verify::failure_kind;

TEST_CASE("a condition variable hands a value over") { holds(programs::handover); }
TEST_CASE("a value changed without the mutex is a race") {
    fails(programs::handover_without_lock, failure_kind::data_race);
}
TEST_CASE("a signal before the change is a lost wake-up") {
    fails(programs::signal_before_wait, failure_kind::deadlock, "lost wake-up");
}
TEST_CASE("one notification for two waiting threads is a lost wake-up") {
    fails(programs::one_of_two_is_woken, failure_kind::deadlock, "lost wake-up");
}
TEST_CASE("a broadcast wakes all") { holds(programs::all_of_two_are_woken); }
TEST_CASE("a signal may wake either of two, not only the one that came first") {
    fails(programs::wrong_one_is_woken, failure_kind::deadlock, "lost wake-up");
    holds(programs::right_one_is_woken_too);
}
TEST_CASE("a wait that is not in a loop may end on its own") {
    fails(programs::wait_without_a_loop, failure_kind::assertion, "s.value == 1");
}
TEST_CASE("waiting without the mutex is an error") {
    fails(programs::wait_without_mutex, failure_kind::lock_misuse, "needs its mutex");
}
TEST_CASE("a timed wait is woken or times out") {
    holds(programs::timed_wait_ends);
    const auto r = run(programs::timed_wait_ends);
    CHECK(r.covered == std::set<std::string>{"seen", "timed out"});
}
TEST_CASE("a notification orders nothing") {
    fails(programs::timed_wait_orders_nothing, failure_kind::data_race);
}
TEST_CASE("condition_variable_any works on any mutex") {
    holds(programs::condition_variable_any_handover, 2);
    holds(programs::any_waits_with_a_read_lock, 2);
    holds(programs::any_two_wait_with_read_locks);
    holds(programs::any_is_destroyed_by_who_was_woken);
}
TEST_CASE("condition_variable_any works on a lock of the program's own") {
    for (const auto model : {ringproof::verify::memory_model::rc11, ringproof::verify::memory_model::sc}) {
        const auto r = run(programs::any_waits_with_a_lock_of_its_own, model);
        CHECK(r.error.message == "");
        CHECK(r.executions > 0);
    }
}
TEST_CASE("a notification of condition_variable_any before the change is a lost wake-up") {
    fails(programs::any_is_notified_before, failure_kind::deadlock, "lost wake-up");
}
TEST_CASE("a change without the lock of condition_variable_any is a race") {
    fails(programs::any_changes_without_the_lock, failure_kind::data_race);
}
TEST_CASE("a wait of condition_variable_any may end on its own") {
    fails(programs::any_wait_without_a_loop, failure_kind::assertion, "f.there");
}
TEST_CASE("a loop of timed waits of condition_variable_any ends, or polls for ever") {
    holds(programs::any_waits_with_a_time_out, 1);
    fails(programs::any_waits_with_a_time_out_for_nothing, failure_kind::livelock, "time-out");
}
TEST_CASE("condition_variable_any is told to stop") { holds(programs::any_is_told_to_stop); }
TEST_CASE("a buffer of one slot with two conditions holds") { holds(programs::buffer_of_one_slot); }
