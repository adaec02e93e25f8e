// SPDX-License-Identifier: Apache-2.0
#include "../../programs/expect.hpp"
#include "../../programs/programs.hpp"

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
TEST_CASE("condition_variable_any works on any mutex") { holds(programs::condition_variable_any_handover); }
TEST_CASE("a buffer of one slot with two conditions holds") { holds(programs::buffer_of_one_slot); }
