// SPDX-License-Identifier: Apache-2.0
#include "../descriptors/expect.hpp"

using namespace ringproof::verify::test;
using ringproof::verify::failure_kind;

TEST_CASE("a read of a timer comes behind what was done before it was set") {
    holds(programs::timer_publishes);
}
TEST_CASE("a timer that is not set does not expire") {
    fails(programs::timer_never_set, failure_kind::deadlock, "timerfd that no thread will set");
    fails(programs::timer_disarmed, failure_kind::deadlock, "timerfd that no thread will set");
}
TEST_CASE("an expiration is read once") {
    fails(programs::timer_read_by_two, failure_kind::deadlock, "timerfd that no thread will set");
}
TEST_CASE("a read finds one expiration or more of a periodic timer") {
    covers(programs::timer_expires_again, {"once", "twice", "then once", "then twice"});
}
TEST_CASE("a look at a timer finds that it has expired, and that it has not") {
    covers(programs::timer_looked_at, {"expired", "not yet"});
    covers(programs::timer_polled_once, {"expired", "not yet"});
}
TEST_CASE("a loop that looks until a timer has expired ends, with the bound told") {
    const auto r = run(programs::timer_looked_at_until_it_expires);
    CHECK(r.error.message == "");
    CHECK(r.executions == 3);
    REQUIRE(r.bounds.size() == 1);
    CHECK_THAT(r.bounds.front(), Catch::Matchers::Contains("too early twice in a row"));
}
TEST_CASE("a poll waits for a timer") {
    holds(programs::timer_polled);
    covers(programs::timer_polled, {"read"});
}
TEST_CASE("a poll of a timer and an event ends by either") {
    covers(programs::timer_or_event, {"both", "the timer", "the event"});
    holds(programs::timer_beside_a_silent_event);
    fails(programs::silent_timer_and_event, failure_kind::deadlock, "poll() or select()");
}
TEST_CASE("epoll reports a timer and an event in either order") {
    covers(programs::epoll_timer_or_event, {"the timer", "the event"});
    holds(programs::epoll_timer_beside_a_silent_event);
    fails(programs::epoll_silent_timer_and_event, failure_kind::deadlock, "epoll_wait()");
}
TEST_CASE("an edge-triggered timer is reported once for each time it is set") {
    fails(programs::epoll_timer_edge, failure_kind::deadlock, "epoll_wait()");
    holds(programs::epoll_timer_edge_set_again);
}
TEST_CASE("what is not modelled of timers is refused") {
    fails(programs::epoll_timer_edge_periodic, failure_kind::unsupported, "edge-triggered timerfd");
    fails(programs::timer_asked_what_remains, failure_kind::unsupported, "the time that remains");
    holds(programs::timer_is_not_written, 1);
}
