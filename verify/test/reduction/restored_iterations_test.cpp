// SPDX-License-Identifier: Apache-2.0
// Polling with a lock held ends: an iteration that gives back what it took is left out, unless somebody has noticed.
#include "../programs/expect.hpp"
#include "../programs/programs.hpp"
#include "../programs/shared_polls.hpp"
#include "../programs/tried_polls.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

TEST_CASE("a slot behind a mutex that is polled is popped in one execution") {
    holds(programs::polls_a_slot, 1);
    CHECK(entered(run(programs::polls_a_slot), assumption::restored_iteration) > 0);
}
TEST_CASE("a slot on the stack of the thread that fills it is polled in few executions") {
    holds(programs::polls_a_slot_on_anothers_stack);
    CHECK(run(programs::polls_a_slot_on_anothers_stack).executions < 5);
}
TEST_CASE("a poll that counts in memory where nobody sees it is not left out") {
    fails(programs::polls_and_counts_unseen, failure_kind::assertion);
}
TEST_CASE("a loop that adds until there is enough gives nothing back") {
    holds(programs::adds_until_there_are_three, 1);
}
TEST_CASE("without the reduction restored-iteration polling has no end") {
    exploration_options options;
    options.limits.reduce.restored_iteration = false;
    options.limits.execution_events = 1000;
    CHECK(explore(programs::polls_a_slot, options).error.kind == failure_kind::limit);
}
TEST_CASE("polling a slot that nobody fills is a livelock") {
    fails(programs::polls_a_slot_that_stays_empty, failure_kind::livelock);
}
TEST_CASE("two that poll a slot of which one is filled do not both end") {
    fails(programs::polls_by_two_who_find_nothing, failure_kind::livelock);
}
TEST_CASE("polling with a lock of the program's own ends, too") {
    holds(programs::polls_with_a_lock_of_its_own);
}
TEST_CASE("polling by tries of a lock ends, whatever the lock is") {
    holds(programs::polls_by_tries, 1);
    holds(programs::polls_by_timed_tries, 1);
    holds(programs::two_poll_by_tries, 2);
    holds(programs::polls_by_exchanges, 1);
    holds(programs::polls_with_a_lock_of_exchanges, 1);
    holds(programs::polls_behind_by_tries, 1);
    // The first iteration may be explored: only at a place passed before is the state kept that tells (place_bit()).
    holds(programs::polls_behind_by_exchanges);
    CHECK(run(programs::polls_behind_by_exchanges).executions <= 2);
    for (auto* const program : {programs::polls_by_tries, programs::polls_by_exchanges})
        CHECK(entered(run(program), assumption::restored_iteration) > 0);
}
TEST_CASE("polling by tries what nobody puts is a livelock") {
    fails(programs::polls_by_tries_for_nothing, failure_kind::livelock);
    fails(programs::polls_by_exchanges_for_nothing, failure_kind::livelock);
}
TEST_CASE("a poll that looks though its try has failed races") {
    fails(programs::polls_by_tries_and_looks_anyway, failure_kind::data_race);
    fails(programs::polls_by_exchanges_and_looks_anyway, failure_kind::data_race);
}
TEST_CASE("polling with a recursive mutex that is taken twice ends") {
    holds(programs::polls_with_a_mutex_taken_twice, 2);
}
TEST_CASE("polling with a lock that is tried where it looks free ends") {
    for (auto* const program :
         {programs::two_poll_where_it_looks_free, programs::two_poll_where_it_looks_free_by_exchanges}) {
        holds(program);
        exploration_options alike;
        alike.limits.reduce.symmetry = true;
        const exploration_result r = explore(program, alike);
        CHECK(r.error.message == "");
        CHECK(r.executions == 6);
        CHECK(r.permutations == 12);
        CHECK(entered(r, assumption::restored_iteration) > 0);
    }
    holds(programs::takes_where_it_looks_free_what_was_polled);
}
TEST_CASE("two that poll for nothing where the lock looks free hang, also when they are alike") {
    fails(programs::two_poll_for_nothing_where_it_looks_free, failure_kind::livelock);
    exploration_options alike;
    alike.limits.reduce.symmetry = true;
    CHECK(explore(programs::two_poll_for_nothing_where_it_looks_free, alike).error.kind ==
          failure_kind::livelock);
}
TEST_CASE("a look, and a count of tries, notice a poll of a lock that is tried where it looks free") {
    fails(programs::polls_where_it_looks_free_while_another_looks, failure_kind::assertion);
    exploration_options options;
    options.limits.rounds = 2;
    CHECK(explore(programs::counts_tries_of_what_was_polled, options).error.kind == failure_kind::assertion);
}
TEST_CASE("another's try that fails, and a look, notice a poll by tries") {
    fails(programs::polls_by_tries_while_another_tries, failure_kind::assertion);
    fails(programs::polls_by_exchanges_while_another_looks, failure_kind::assertion);
}
TEST_CASE("a poll races with who fills the slot without its mutex") {
    fails(programs::polls_what_is_put_without_the_lock, failure_kind::data_race);
}
TEST_CASE("a try_lock that fails notices a poll that found nothing") {
    fails(programs::polls_while_another_tries, failure_kind::assertion);
}
TEST_CASE("who writes between what a poll wrote and what it put back has noticed") {
    fails(programs::writes_between_what_a_poll_wrote, failure_kind::assertion);
}
TEST_CASE("a poll that another may see later, with nothing that orders it, is not left out") {
    exploration_options options;
    options.limits.execution_events = 1000;
    CHECK(explore(programs::sees_what_a_poll_wrote_before_it_ended, options).error.kind ==
          failure_kind::limit);
    options.limits.rounds = 2;
    CHECK(explore(programs::sees_what_a_poll_wrote_before_it_ended, options).error.kind ==
          failure_kind::assertion);
    options.model = memory_model::sc; // where everything is ordered
    options.limits.rounds = 0;
    const exploration_result r = explore(programs::sees_what_a_poll_wrote_before_it_ended, options);
    CHECK(r.error.message == "");
    CHECK(entered(r, assumption::restored_iteration) > 0);
}
TEST_CASE("std::scoped_lock of two mutexes in both orders ends") {
    holds(programs::takes_two_locks_in_both_orders);
    exploration_options options;
    options.limits.reduce.multi_lock = false; // it tries, and steps back
    const exploration_result r = explore(programs::takes_two_locks_in_both_orders, options);
    CHECK(r.error.message.empty());
    CHECK(r.executions > 2);
    CHECK(r.executions < 100);
    CHECK(entered(r, assumption::restored_iteration) > 0);
}
TEST_CASE("a try_lock notices who holds the one of two mutexes and waits for the other") {
    fails(programs::takes_two_locks_in_both_orders_while_another_tries, failure_kind::assertion);
}

TEST_CASE("polling with a read lock or a write lock ends") {
    holds(programs::polls_with_a_read_lock, 1);
    holds(programs::polls_with_a_write_lock, 1);
    holds(programs::polls_with_a_tried_read_lock, 1);
    CHECK(entered(run(programs::polls_with_a_read_lock), assumption::restored_iteration) > 0);
}
TEST_CASE("several that poll with read locks come in each order of their last looks") {
    holds(programs::two_poll_with_read_locks, 6);
    holds(programs::three_poll_with_read_locks, 90);
}
TEST_CASE("polling with a read lock for nothing is a livelock") {
    fails(programs::polls_with_a_read_lock_for_nothing, failure_kind::livelock);
    fails(programs::polls_with_a_read_lock_that_is_kept, failure_kind::livelock);
}
TEST_CASE("a poll with a read lock races with who writes without the lock") {
    fails(programs::polls_with_a_read_lock_what_is_put_without, failure_kind::data_race);
}
TEST_CASE("a try that fails notices a poll that has a share of the lock") {
    fails(programs::polls_with_a_read_lock_while_another_tries, failure_kind::assertion);
}
TEST_CASE("polling with a semaphore for a lock ends") {
    holds(programs::polls_with_a_semaphore, 1);
    holds(programs::polls_with_a_tried_semaphore, 2); // the first try that fails sets errno
    holds(programs::two_poll_behind_a_wide_semaphore);
    CHECK(entered(run(programs::polls_with_a_semaphore), assumption::restored_iteration) > 0);
}
TEST_CASE("polling with a semaphore for nothing is a livelock") {
    fails(programs::polls_with_a_semaphore_for_nothing, failure_kind::livelock);
    fails(programs::polls_with_a_semaphore_that_is_kept, failure_kind::deadlock);
}
TEST_CASE("an iteration that does not give back what it took of a semaphore is not left out") {
    fails(programs::polls_with_a_semaphore_that_it_keeps, failure_kind::deadlock);
}
TEST_CASE("a poll with a semaphore that lets two in races") {
    fails(programs::polls_with_a_semaphore_what_is_put_without, failure_kind::data_race);
}
TEST_CASE("a try that fails, or a look, notices a poll that has taken a semaphore") {
    fails(programs::polls_with_a_semaphore_while_another_tries, failure_kind::assertion);
    fails(programs::polls_with_a_semaphore_while_another_looks, failure_kind::assertion);
}
TEST_CASE("an iteration that lends a share to others is not left out") {
    exploration_options options;
    options.limits.rounds = 2;
    CHECK(explore(programs::lends_one_in_each_iteration, options).error.message == "");
}
#if __has_include(<semaphore>)
TEST_CASE("polling with std::binary_semaphore ends") {
    holds(programs::polls_with_a_binary_semaphore, 1);
    holds(programs::semaphore_in_a_loop_of_tries);
}
#endif
