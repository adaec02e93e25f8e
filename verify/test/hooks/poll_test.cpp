// SPDX-License-Identifier: Apache-2.0
#include "../descriptors/expect.hpp"

using namespace ringproof::verify::test;
using ringproof::verify::failure_kind;

TEST_CASE("a poll that waits sees what was done before the write") { holds(programs::poll_publishes, 1); }
TEST_CASE("a poll that does not wait orders nothing") {
    needs_an_order(programs::poll_of_zero_orders_nothing, failure_kind::data_race);
}
TEST_CASE("a poll of several files ends when any is ready") {
    holds(programs::poll_of_two);
    covers(programs::poll_of_two, {"both", "the first", "the second"});
    fails(programs::poll_of_two_never_written, failure_kind::deadlock, "poll() or select()");
}
TEST_CASE("a poll with a limit times out, and does not") {
    covers(programs::poll_times_out_or_not, {"ready", "timed out"});
}
TEST_CASE("a loop that polls with a limit is no lost wake-up") {
    holds(programs::poll_looks_again_after_a_time_out);
}
TEST_CASE("a poll of a pipe sees its other end close") { holds(programs::poll_sees_the_other_end_close); }
TEST_CASE("select is poll in other words") { holds(programs::select_of_two); }
TEST_CASE("a loop of polls that do not wait ends") { holds(programs::poll_again_and_again); }
