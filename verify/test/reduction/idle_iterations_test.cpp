// SPDX-License-Identifier: Apache-2.0
#include "../programs/expect.hpp"
#include "../programs/programs.hpp"

using namespace ringproof::verify::test;
using ringproof::verify::failure_kind;

TEST_CASE("an atomic's wait sees the change, in one execution") { holds(programs::atomic_wait_sees, 1); }
TEST_CASE("an atomic of one byte waits as well") { holds(programs::atomic_wait_sees_bytes, 1); }
TEST_CASE("a notification publishes nothing") {
    const auto r = run(programs::atomic_wait_relaxed);
    CHECK(r.error.kind == failure_kind::data_race);
}
TEST_CASE("a change that nobody is notified of is a lost wake-up") {
    fails(programs::atomic_wait_without_notify, failure_kind::livelock, "lost wake-up");
}
TEST_CASE("a notification before the change is a lost wake-up") {
    fails(programs::atomic_notify_before_store, failure_kind::livelock, "lost wake-up");
}
TEST_CASE("notify_all wakes two") { holds(programs::atomic_notify_all_wakes_two, 1); }
TEST_CASE("notify_one wakes one of two") {
    fails(programs::atomic_notify_one_wakes_one, failure_kind::livelock, "lost wake-up");
}
TEST_CASE("a failed push that changes a node of its own is no round without effect") {
    holds(programs::failed_push_of_a_node);
}
TEST_CASE("a race of a round that waits is found, though it is not explored") {
    fails(programs::races_while_it_waits, failure_kind::data_race);
}
TEST_CASE("a round that reads what was read before it waits costs no execution") {
    holds(programs::reads_again_while_it_waits, 1);
    CHECK(run(programs::reads_again_while_it_waits).blocked == 0);
}
TEST_CASE("a lock by exchange has one execution for each order, however it fails") {
    holds(programs::three_lock_by_exchange, 6);
}
TEST_CASE("a lock by exchange that is never given back hangs, and so does its replay") {
    fails(programs::lock_by_exchange_is_kept, failure_kind::livelock);
}
TEST_CASE("what else a round with a failed exchange does is seen") {
    fails(programs::races_while_it_exchanges, failure_kind::data_race);
    holds(programs::gives_up_exchanging, 1);
}
TEST_CASE("a loop that gives up by chance is no loop that waits") {
    fails(programs::gives_up_by_chance, failure_kind::assertion);
}

static int calls;
int programs::library_count() { return ++calls; }
TEST_CASE("a loop that gives up by a count of code that is not instrumented is no loop that waits") {
    fails(programs::library_gives_up, failure_kind::assertion);
}

TEST_CASE("a loop that waits, and comes to the same state again after a hundred rounds, has an end") {
    const auto r = run(programs::spins_and_counts_to_a_hundred);
    CHECK(r.error.message == "");
    CHECK(r.executions >= 100); // it goes on at each count, some of which are met twice
    CHECK(r.executions <= 300);
}

// How many executions depends on what the compiler keeps of a round of the loop.
TEST_CASE("two threads take turns by wait and notify") { holds(programs::atomic_flag_ping_pong); }
TEST_CASE("a mutex made of the futex system call excludes") { holds(programs::futex_mutex_excludes); }
TEST_CASE("a mutex that forgets that someone waits is a lost wake-up") {
    fails(programs::futex_mutex_forgets_to_wake, failure_kind::livelock, "lost wake-up");
}

#if __has_include(<barrier>)
TEST_CASE("a latch publishes what was done before") { holds(programs::latch_publishes, 2); }
TEST_CASE("a latch that is not counted down hangs") {
    fails(programs::latch_never_done, failure_kind::deadlock, "never counted down");
}
TEST_CASE("std::barrier orders a round and its completion") { holds(programs::barrier_rounds_of_two); }
TEST_CASE("a semaphore of one excludes") { holds(programs::counting_semaphore_limits); }
TEST_CASE("a semaphore of two does not") {
    fails(programs::counting_semaphore_lets_two_in, failure_kind::data_race);
}
TEST_CASE("a semaphore that is never released hangs") {
    fails(programs::binary_semaphore_never_released, failure_kind::deadlock);
}
TEST_CASE("a jthread is asked to stop") { holds(programs::jthread_stops); }
#endif
