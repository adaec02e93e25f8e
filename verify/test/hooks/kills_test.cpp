// SPDX-License-Identifier: Apache-2.0
// Processes that are killed, at any of their accesses.
#include "../programs/expect.hpp"
#include "../programs/kills.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

TEST_CASE("a process is killed between any two of its writes, or not at all") {
    holds(programs::kill_between_atomic_writes, 4); // behind none, one and two of them, or it ends first
    holds(programs::record_is_whole_in_spite_of_kill, 5);
    fails(programs::kill_between_plain_writes, failure_kind::assertion, "content[0]");
}
TEST_CASE("memory of its own makes no difference to where a process is killed") {
    holds(programs::kill_of_own_memory, 3);
}
TEST_CASE("a process that waits for ever is killed") { holds(programs::kill_ends_an_endless_wait, 2); }
TEST_CASE("a signal comes some time after it was sent, and not before") {
    fails(programs::kill_comes_some_time_later, failure_kind::assertion, "n[1].load() == 0");
    holds(programs::kill_orders_nothing_before_it);
}
TEST_CASE("a lock that a killed process holds is never unlocked") {
    fails(programs::kill_with_a_lock_held, failure_kind::deadlock, "no one will unlock");
}
TEST_CASE("a process kills itself") { holds(programs::kill_of_itself, 1); }
TEST_CASE("two processes are killed") { holds(programs::two_processes_are_killed, 9); }
TEST_CASE("a process that was waited for is gone") { holds(programs::kill_of_a_process_that_is_gone); }
TEST_CASE("a child may be killed at any access, or never") {
    holds(programs::child_may_be_killed, 4);
    fails(programs::child_that_may_be_killed_waits_in_vain, failure_kind::livelock);
}
TEST_CASE("a child is asked for without waiting, and /proc says whether it has ended") {
    holds(programs::child_is_polled_until_it_ends);
    holds(programs::state_of_a_process_is_read, 2);
}
TEST_CASE("what cannot be killed is refused") {
    fails(programs::kill_of_a_process_with_threads, failure_kind::unsupported, "has other threads");
    fails(programs::kill_by_another_signal, failure_kind::unsupported, "other than SIGKILL");
}
TEST_CASE("the ledger says where kills come") {
    const exploration_result r = run(programs::kill_between_atomic_writes);
    CHECK(entered(r, assumption::kill_order) != 0);
}
