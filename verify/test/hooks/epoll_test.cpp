// SPDX-License-Identifier: Apache-2.0
#include "../descriptors/expect.hpp"

using namespace ringproof::verify::test;
using ringproof::verify::assumption;
using ringproof::verify::exploration_limits;
using ringproof::verify::exploring;
using ringproof::verify::failure_kind;

TEST_CASE("epoll_wait sees what was done before the write") { holds(programs::epoll_publishes); }
TEST_CASE("a level-triggered file is reported until it is read") { holds(programs::epoll_level); }
TEST_CASE("an edge-triggered file is reported once") {
    fails(programs::epoll_edge_reads_once, failure_kind::deadlock, "epoll_wait()");
    holds(programs::epoll_edge_reads_all);
    holds(programs::epoll_edge_meets_what_came_first);
}
TEST_CASE("a one-shot file is reported once, until it is armed again") {
    fails(programs::epoll_one_shot, failure_kind::deadlock, "epoll_wait()");
    holds(programs::epoll_one_shot_armed_again);
}
TEST_CASE("epoll reports what was asked for alone") {
    fails(programs::epoll_asks_for_something_else, failure_kind::deadlock, "epoll_wait()");
}
TEST_CASE("of two ready files either is reported first") {
    holds(programs::epoll_two_files_in_any_order);
    covers(programs::epoll_two_files_in_any_order, {"the other first", "the event first"});
}
TEST_CASE("an edge wakes one of two waiting threads") {
    fails(programs::epoll_two_waiters_one_event, failure_kind::deadlock, "epoll_wait()");
}
TEST_CASE("a file that is removed or closed is reported no longer") {
    fails(programs::epoll_file_removed, failure_kind::deadlock, "epoll_wait()");
    holds(programs::epoll_file_closed, 1);
}
TEST_CASE("epoll_wait may be interrupted, with no handler about") {
    fails(programs::epoll_interrupted, failure_kind::assertion);
    const auto r = run(programs::epoll_interrupted_and_tried_again);
    CHECK(r.error.message == "");
    CHECK(entered(r, assumption::early_wakes));
    CHECK(run_with(programs::epoll_interrupted, &exploration_limits::spurious, exploring::never)
              .error.message == "");
}
TEST_CASE("an epoll_wait with a limit times out, and does not") {
    covers(programs::epoll_times_out, {"ready", "timed out", "interrupted"});
}
TEST_CASE("a wake-up that has not arrived orders nothing, and lets epoll_wait go round once") {
    needs_an_order(programs::epoll_sees_what_nothing_orders, failure_kind::assertion);
    holds(programs::epoll_goes_round_until_the_flag_is_seen);
}
