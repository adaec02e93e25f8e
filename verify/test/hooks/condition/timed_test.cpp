// SPDX-License-Identifier: Apache-2.0
#include "../../programs/expect.hpp"
#include "../../programs/shared_polls.hpp"
#include "../../programs/timed.hpp"

using namespace ringproof::verify::test;
using ringproof::verify::assumption;
using ringproof::verify::failure_kind;

TEST_CASE("a loop of timed waits ends, though nobody is told") {
    holds(programs::loop_of_timed_waits, 1);
    holds(programs::loop_of_timed_waits_until_a_fixed_time, 1);
}
TEST_CASE("a loop of timed waits may look at an atomic") {
    holds(programs::loop_of_timed_waits_on_an_atomic);
}
TEST_CASE("a loop of timed waits may have a predicate") {
    holds(programs::loop_of_timed_waits_with_a_predicate);
}
TEST_CASE("a timed wait may time out for good, and the library, which looks at the clock, sees that") {
    holds(programs::timed_wait_for_what_never_comes, 1);
    holds(programs::loop_of_timed_waits_that_gives_up_at_a_time_out, 1);
}
TEST_CASE("a loop that begins a new timed wait at each time-out polls for ever, where nothing comes") {
    fails(programs::loop_of_timed_waits_that_goes_on_at_a_time_out, failure_kind::livelock);
}
TEST_CASE("two threads pop a queue in loops of timed waits") { holds(programs::two_pop_with_timed_waits); }
TEST_CASE("a loop of timed tries of a mutex ends") { holds(programs::loop_of_timed_tries, 2); }
TEST_CASE("when a timed lock gives up, its time has passed") {
    holds(programs::time_has_passed_when_a_timed_lock_gives_up, 1);
}
TEST_CASE("a loop of timed tries comes to its limit or gets the mutex") {
    holds(programs::timed_locks_until_a_limit);
    CHECK(run(programs::timed_locks_until_a_limit).covered == std::set<std::string>{"late", "locked"});
}
TEST_CASE("a loop of tries that reads plain memory may race") {
    fails(programs::loop_of_tries_that_reads_what_races, failure_kind::data_race);
}
TEST_CASE("a loop of timed waits for nothing polls for ever") {
    fails(programs::timed_waits_for_nothing, failure_kind::livelock, "time-out");
    fails(programs::two_wait_for_nothing, failure_kind::livelock, "time-out");
    fails(programs::timed_waits_for_an_atomic_that_nobody_sets, failure_kind::livelock, "time-out");
}
TEST_CASE("a loop of timed waits polls for ever in some executions") {
    fails(programs::one_of_two_waits_for_ever, failure_kind::livelock, "time-out");
}
TEST_CASE("a function of the program that is called like a timed wait looks at the clock for itself") {
    holds(programs::own_function_called_like_a_timed_wait);
    CHECK(run(programs::own_function_called_like_a_timed_wait).covered ==
          std::set<std::string>{"late", "ready"});
}
TEST_CASE("a time-out that is taken for a change is found") {
    fails(programs::time_out_that_is_taken_for_a_change, failure_kind::assertion, "s.ready");
}
TEST_CASE("timed waits that change something are bounded, and that is told") {
    const auto r = run(programs::timed_waits_that_are_counted);
    CHECK(r.error.message == "");
    CHECK(r.executions > 0);
    REQUIRE(r.bounds.size() == 1);
    CHECK_THAT(r.bounds[0], Catch::Matchers::Contains("times out twice in a row"));
}
TEST_CASE("a loop of timed waits that looks at the clock itself may come to its limit") {
    const auto r = run(programs::timed_waits_with_a_limit_of_their_own);
    CHECK(r.error.message == "");
    CHECK(entered(r, assumption::clock) > 0);
    CHECK((r.covered.count("late") != 0 || !r.bounds.empty()));
}
