// SPDX-License-Identifier: Apache-2.0
#include "../programs/expect.hpp"
#include "../programs/programs.hpp"

#include <ringproof/verify/sampling.hpp>

using namespace ringproof::verify;
using namespace ringproof::verify::test;

namespace {

constexpr auto spurious = &exploration_limits::spurious;

#ifndef __clang__ // which does not say of a compare-exchange whether it is weak
/// A loop that tries again has the executions that it has without spurious failures.
void same_executions(void (*weak)(), void (*strong)()) {
    for (const memory_model model : {memory_model::rc11, memory_model::sc, memory_model::tso}) {
        const exploration_result with = run(weak, model), without = run(strong, model);
        CAPTURE(static_cast<int>(model));
        CHECK(with.error.message == "");
        CHECK(with.executions == without.executions);
        CHECK(entered(with, assumption::weak_failures));
        CHECK_FALSE(entered(with, assumption::spurious_failure));
    }
}
#endif

/// A wait in a loop has the executions that it has when none ends early.
void same_executions_as_never(void (*program)()) {
    const exploration_result with = run(program), without = run_with(program, spurious, exploring::never);
    CHECK(with.error.message == "");
    CHECK(without.error.message == "");
    CHECK(with.executions == without.executions);
    CHECK(entered(with, assumption::early_wakes));
    CHECK_FALSE(entered(with, assumption::spurious_wake));
    CHECK(entered(without, assumption::spurious_wake));
}

} // namespace

#ifndef __clang__
TEST_CASE("a weak compare-exchange that is not in a loop may fail") {
    fails(programs::weak_exchange_once, failure_kind::assertion);
}
TEST_CASE("two attempts of a weak compare-exchange may both fail") {
    fails(programs::two_attempts, failure_kind::assertion);
}
TEST_CASE("a weak compare-exchange may fail on what a later write leaves") {
    fails(programs::failure_of_a_later_value, failure_kind::assertion);
}
TEST_CASE("what a spurious failure alone reads may race") {
    fails(programs::failure_reads_what_is_written, failure_kind::data_race);
}
TEST_CASE("a loop that carries on the value it saw has no more executions") {
    same_executions(programs::weak_value_carried_on, programs::strong_value_carried_on);
}
TEST_CASE("a loop that looks again has no more executions") {
    same_executions(programs::weak_value_looked_at_again, programs::strong_value_looked_at_again);
}
TEST_CASE("a lock by a weak compare-exchange has no more executions") {
    same_executions(programs::weak_spin_lock, programs::strong_spin_lock);
}
TEST_CASE("a loop that counts its failures is explored a few times, and the ledger says so") {
    const exploration_result r = run(programs::failures_are_counted);
    CHECK(r.error.message == "");
    CHECK(r.executions == 4); // 0 to 3 failures
    CHECK(entered(r, assumption::spurious_failure));
}
TEST_CASE("without spurious failures the ledger says so") {
    const exploration_result r = run_with(programs::weak_exchange_once, spurious, exploring::never);
    CHECK(r.error.message == "");
    CHECK(r.executions == 1);
    CHECK(entered(r, assumption::spurious_failure));
}
TEST_CASE("several processes find the executions that one does") {
    exploration_options alone;
    alone.limits.reduce.stale_iteration = false; // several do not drop what one does
    const exploration_result one = explore(programs::weak_value_looked_at_again, alone),
                             two = run_with(programs::weak_value_looked_at_again, spurious,
                                            exploring::when_told, 2);
    CHECK(one.executions == two.executions);
    CHECK(one.blocked == two.blocked);
    CHECK(run_with(programs::two_attempts, spurious, exploring::always, 2).error.kind ==
          failure_kind::assertion);
}
TEST_CASE("random executions meet spurious failures, by even choices and by priorities") {
    CHECK(explore_randomly(programs::two_attempts, 200, 1, {}).error.kind == failure_kind::assertion);
    CHECK(explore_by_priorities(programs::weak_exchange_once, 2'000, 3, 1, {}).error.kind ==
          failure_kind::assertion);
}
#endif
TEST_CASE("a strong compare-exchange does not fail") {
    holds(programs::strong_exchange_once, 1);
    CHECK_FALSE(entered(run(programs::strong_exchange_once), assumption::weak_failures));
}

TEST_CASE("a wait in a loop has no more executions") {
    same_executions_as_never(programs::wait_in_a_loop);
    same_executions_as_never(programs::wait_in_a_loop_on_static_data);
}
TEST_CASE("a thread that waited goes on before it is notified") {
    exploration_options options; // under sc, as a notification orders nothing
    options.model = memory_model::sc;
    CHECK(explore(programs::wait_before_the_notification, options).error.kind == failure_kind::assertion);
    options.limits.spurious = exploring::never;
    CHECK(explore(programs::wait_before_the_notification, options).error.message == "");
}
TEST_CASE("a timed wait may end before its time, unnotified") {
    fails(programs::timed_wait_without_a_look, failure_kind::assertion);
}
TEST_CASE("a futex wait may end on its own") {
    fails(programs::futex_without_a_look, failure_kind::assertion);
}
TEST_CASE("a futex wait in a loop looks again, so that its end tells nothing") {
    const exploration_result with = run(programs::futex_in_a_loop);
    CHECK(with.error.message == "");
    CHECK(entered(with, assumption::early_wakes));
    CHECK(with.executions <= 2); // it may look again before it is woken
}
TEST_CASE("a thread that waits for one piece of work after the other may wake early before each") {
    const exploration_result r = run(programs::worker_takes_pieces);
    CHECK(r.error.message == "");
    CHECK(entered(r, assumption::early_wakes));
    CHECK_FALSE(entered(r, assumption::spurious_wake));
}
TEST_CASE("a loop that counts its waits is explored with a few, and the ledger says so") {
    const exploration_result r = run(programs::waits_are_counted);
    CHECK(r.error.message == "");
    CHECK(entered(r, assumption::spurious_wake));
}
TEST_CASE("a loop around a futex may mark the word again and again, and a future is waited for so") {
    for (const auto program : {programs::futex_that_marks_again, programs::promise_is_kept})
        for (const exploring much : {exploring::when_told, exploring::always}) {
            const exploration_result r = run_with(program, spurious, much);
            CHECK(r.error.message == "");
            CHECK(entered(r, assumption::early_wakes));
            CHECK_FALSE(entered(r, assumption::spurious_wake));
            CHECK(r.executions <= 8);
        }
}
TEST_CASE("what a futex waits for is part of the state, though it is dead in the program") {
    fails(programs::futex_that_waits_for_what_it_saw, failure_kind::livelock);
}
TEST_CASE("std::atomic's wait looks again itself, so nobody can tell") {
    const exploration_result r = run(programs::atomic_wait_looks_again);
    CHECK(r.error.message == "");
    CHECK(r.executions == run_with(programs::atomic_wait_looks_again, spurious, exploring::never).executions);
    CHECK_FALSE(entered(r, assumption::spurious_wake));
}
