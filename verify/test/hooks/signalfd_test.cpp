// SPDX-License-Identifier: Apache-2.0
#include "../descriptors/expect.hpp"

using namespace ringproof::verify::test;
using ringproof::verify::failure_kind;

TEST_CASE("a read of a signalfd comes behind what was done before the signal was sent") {
    holds(programs::signal_publishes);
}
TEST_CASE("a signalfd is read when a signal of its set is sent") {
    fails(programs::signal_never_sent, failure_kind::deadlock, "read() of a signalfd");
    fails(programs::signal_of_another_set, failure_kind::deadlock, "read() of a signalfd");
}
TEST_CASE("a signal that is pending is not sent twice") {
    fails(programs::signals_come_together, failure_kind::deadlock, "read() of a signalfd");
}
TEST_CASE("a read takes as many signals as fit, the lowest first") {
    holds(programs::signals_of_two_kinds, 1);
}
TEST_CASE("a signalfd that does not block") { holds(programs::signal_looked_at, 1); }
TEST_CASE("poll and epoll wait for signals of the set") {
    holds(programs::signal_polled);
    holds(programs::signal_in_epoll);
}
TEST_CASE("a signalfd keeps its set") {
    fails(programs::signals_changed, failure_kind::unsupported, "changing the signals of a signalfd");
}
