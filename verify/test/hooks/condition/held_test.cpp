// SPDX-License-Identifier: Apache-2.0
#include "../../programs/expect.hpp"
#include "../../programs/held.hpp"

using namespace ringproof::verify::test;
using ringproof::verify::failure_kind;

TEST_CASE("a wait gives up a recursive mutex as often as it is held, and takes it as often again") {
    holds(programs::waits_with_a_recursive_mutex);
}
TEST_CASE("a loop of pthread_cond_timedwait() ends, though nobody is told") {
    holds(programs::timed_waits_in_a_loop, 1);
}
TEST_CASE("a condition variable is not destroyed while a thread waits on it") {
    fails(programs::condition_destroyed_while_waited_on, failure_kind::lock_misuse, "waits on it");
}
TEST_CASE("a read-write lock is not destroyed while it is held") {
    fails(programs::rwlock_destroyed_while_held, failure_kind::lock_misuse, "holds it");
}
TEST_CASE("a spin lock is not unlocked by another thread") {
    fails(programs::spin_lock_of_another, failure_kind::lock_misuse, "does not hold");
}
TEST_CASE("a mutex that is taken is busy for others who try") {
    holds(programs::try_lock_of_a_taken_mutex);
    CHECK(run(programs::try_lock_of_a_taken_mutex).covered == std::set<std::string>{"both", "busy", "one"});
}
TEST_CASE("who has read under a read-write lock is done before the next writer") {
    holds(programs::reader_before_a_writer, 2);
}
TEST_CASE("what is done once is done for all who come") { holds(programs::once_by_two_that_read); }
TEST_CASE("a barrier hands over to both sides") { holds(programs::barrier_that_hands_over); }
TEST_CASE("a barrier is destroyed once") {
    fails(programs::barrier_destroyed_twice, failure_kind::lock_misuse, "no longer");
}
TEST_CASE("a futex's wait with a limit ends, and one that sees something else does not begin") {
    holds(programs::futex_with_a_limit, 2);
}
TEST_CASE("two signals wake two") { holds(programs::two_signals_wake_two); }
TEST_CASE("a signal wakes either of two") {
    holds(programs::either_is_woken_first);
    CHECK(run(programs::either_is_woken_first).covered == std::set<std::string>{"one", "other"});
}
