// SPDX-License-Identifier: Apache-2.0
// std::lock of several mutexes has one execution for each order in which threads get them, and waits for ever where the
// library's would.
#include "../programs/expect.hpp"
#include "../programs/programs.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

namespace {

exploration_result without(void (*program)()) {
    exploration_options options;
    options.limits.reduce.multi_lock = false;
    options.limits.execution_events = 1000;
    options.limits.seconds = 60;
    return explore(program, options);
}

} // namespace

TEST_CASE("three threads that take two mutexes each, in a ring, have six executions and no blocked ones") {
    holds(programs::multi_three_in_a_ring, 6);
    const exploration_result r = run(programs::multi_three_in_a_ring);
    CHECK(r.blocked == 0);
    CHECK(entered(r, assumption::multi_lock) > 0);
    CHECK(without(programs::multi_three_in_a_ring).error.kind == failure_kind::limit); // it has no end
}
TEST_CASE("three threads get three mutexes in each order") {
    holds(programs::multi_three_of_three, 6);
    CHECK(run(programs::multi_three_of_three).covered.size() == 6);
}
TEST_CASE("who takes the same mutexes one by one, in the other order, is not in a deadlock") {
    holds(programs::multi_against_one_by_one, 2);
    CHECK(run(programs::multi_against_one_by_one).blocked <= 2);
    CHECK(without(programs::multi_against_one_by_one).error.message.empty());
}
TEST_CASE("a deadlock of others is found beside std::scoped_lock") {
    fails(programs::multi_while_one_by_one_deadlocks, failure_kind::deadlock);
}
TEST_CASE("a mutex that is never given back is a deadlock, also of who has the other one") {
    fails(programs::multi_one_is_never_given_back, failure_kind::deadlock);
}
TEST_CASE("two that hang in std::lock hang, also where one waits for what the other would give back") {
    fails(programs::multi_two_wait_for_what_is_never_given_back, failure_kind::deadlock);
}
TEST_CASE("std::lock of a mutex that is freed meanwhile is an error, whichever of two it takes first") {
    for (const exploring how : {exploring::never, exploring::always}) {
        const exploration_result r =
            run_with(programs::multi_of_freed_memory, &exploration_limits::reuse, how);
        CAPTURE(r.error.message, static_cast<int>(how));
        CHECK((r.error.kind == failure_kind::data_race || r.error.kind == failure_kind::use_after_free));
    }
}
TEST_CASE("a mutex that is destroyed while std::lock may try it is an error, though it is made again") {
    const exploration_result r = run(programs::multi_destroyed_and_made_again);
    CHECK((r.error.kind == failure_kind::lock_misuse || r.error.kind == failure_kind::data_race));
}
TEST_CASE("a mutex that was taken before is not given back by who waits in std::lock") {
    fails(programs::multi_with_another_one_held, failure_kind::deadlock);
}
TEST_CASE("std::lock of a mutex that its thread holds, or of a destroyed one, is an error") {
    fails(programs::multi_with_one_of_them_held, failure_kind::deadlock, "holds already");
    fails(programs::multi_of_a_destroyed_one, failure_kind::lock_misuse);
}
TEST_CASE("the holder of one mutex who waits for who wants both waits for ever") {
    const exploration_result r = run(programs::multi_holder_of_one_waits_for_who_wants_both);
    CHECK((r.error.kind == failure_kind::livelock || r.error.kind == failure_kind::deadlock));
}
TEST_CASE("a try that fails for an attempt which gives back what it has makes std::lock try") {
    fails(programs::multi_a_try_fails_for_an_attempt, failure_kind::assertion);
    exploration_options options; // and tells all that search
    options.jobs = 2;
    options.share_after = 0;
    CHECK(explore(programs::multi_a_try_fails_for_an_attempt, options).error.kind == failure_kind::assertion);
}
TEST_CASE("a try beside a handler, which std::lock does not wait beside, makes it try from the beginning") {
    const exploration_result r = run(programs::multi_a_try_beside_a_handler_fails_for_an_attempt);
    CHECK(r.error.kind == failure_kind::assertion);
}
TEST_CASE("std::lock of the same mutex twice is a deadlock") {
    fails(programs::multi_twice_the_same, failure_kind::deadlock, "twice");
}
TEST_CASE("std::lock of a lock that is owned, or of none, throws as the library does") {
    holds(programs::multi_of_what_is_not_free);
}
TEST_CASE("std::lock of mutexes of several kinds tries, and ends") {
    holds(programs::multi_with_a_recursive_one);
    CHECK(entered(run(programs::multi_with_a_recursive_one), assumption::multi_lock) == 0);
}
TEST_CASE("alike threads that take two mutexes have one execution") {
    exploration_options options;
    options.limits.reduce.symmetry = true;
    const exploration_result r = explore(programs::multi_alike, options);
    CHECK(r.error.message.empty());
    CHECK(r.executions == 1);
    CHECK(r.permutations == 6);
}
