// SPDX-License-Identifier: Apache-2.0
#include "../programs/expect.hpp"
#include "../programs/programs.hpp"

using namespace ringproof::verify::test;
using ringproof::verify::failure_kind;

TEST_CASE("a recursive mutex is taken twice by one thread") { holds(programs::recursive_mutex_counts, 2); }
TEST_CASE("what happens after the last unlock of a recursive mutex is not protected") {
    fails(programs::recursive_mutex_is_still_held, failure_kind::data_race);
}
TEST_CASE("locking a mutex twice is a deadlock") {
    fails(programs::self_deadlock, failure_kind::deadlock, "holds already");
}
TEST_CASE("two mutexes in two orders deadlock") {
    fails(programs::lock_order_deadlock, failure_kind::deadlock);
}
TEST_CASE("an error-checking mutex reports misuse to the program") {
    holds(programs::errorcheck_mutex_reports, 1);
}
TEST_CASE("a timed lock succeeds or times out") {
    holds(programs::timed_mutex_both_ways);
    CHECK(run(programs::timed_mutex_both_ways).covered == std::set<std::string>{"both", "one", "timed out"});
}
TEST_CASE("a mutex in freed memory is a use after free") {
    const auto r = run(programs::mutex_in_freed_memory);
    CAPTURE(r.error.message);
    CHECK((r.error.kind == failure_kind::use_after_free || r.error.kind == failure_kind::data_race));
}
TEST_CASE("a destroyed mutex cannot be locked") {
    fails(programs::destroyed_mutex, failure_kind::lock_misuse, "destroyed mutex");
}
TEST_CASE("a mutex is not destroyed while it is held") {
    fails(programs::destroyed_while_held, failure_kind::lock_misuse);
}
TEST_CASE("unlocking a mutex that is not held is an error") {
    fails(programs::unlock_not_held, failure_kind::lock_misuse, "does not hold");
}
