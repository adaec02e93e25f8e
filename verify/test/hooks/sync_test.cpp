// SPDX-License-Identifier: Apache-2.0
#include "../programs/expect.hpp"
#include "../programs/programs.hpp"
#include "../programs/shared_polls.hpp"

using namespace ringproof::verify::test;
using ringproof::verify::failure_kind;

TEST_CASE("readers of a shared_mutex are inside at once") {
    holds(programs::readers_share);
    CHECK(run(programs::readers_share).covered.count("two at once") == 1);
}
TEST_CASE("readers that write race") { fails(programs::reader_writes, failure_kind::data_race); }
TEST_CASE("writers of a shared_mutex exclude everybody") { holds(programs::writers_exclude); }
TEST_CASE("unlocking a shared_mutex that is not held is an error") {
    fails(programs::rwlock_not_held, failure_kind::lock_misuse);
}
TEST_CASE("a shared_timed_mutex publishes what was written before its unlock") {
    holds(programs::shared_mutex_publishes);
}
TEST_CASE("a barrier orders its rounds") { holds(programs::barrier_orders_rounds); }
TEST_CASE("a barrier that expects one more hangs") {
    fails(programs::barrier_with_one_too_few, failure_kind::deadlock, "barrier");
}
TEST_CASE("a semaphore publishes") { holds(programs::semaphore_publishes, 1); }
TEST_CASE("a semaphore that nobody posts hangs") {
    fails(programs::semaphore_never_posted, failure_kind::deadlock, "semaphore");
}
TEST_CASE("a spin lock excludes") { holds(programs::spin_lock_excludes, 6); }
TEST_CASE("call_once runs once, and all see it") { holds(programs::call_once_initialises, 3); }
TEST_CASE("call_once that throws runs again") {
    holds(programs::call_once_throws_once);
    CHECK(run(programs::call_once_throws_once).covered.count("thrown") == 1);
}
TEST_CASE("initialising once without call_once is a race") {
    fails(programs::once_flag_without_once, failure_kind::data_race);
}

#if __has_include(<semaphore>)
TEST_CASE("std::counting_semaphore publishes, and gives several at once") {
    holds(programs::semaphore_releases_several);
    fails(programs::semaphore_published_too_early, failure_kind::assertion);
}
TEST_CASE("try_acquire fails beside another, although there is one left") {
    fails(programs::semaphore_try_fails_beside_another, failure_kind::assertion, "taken == 2");
}
#endif
