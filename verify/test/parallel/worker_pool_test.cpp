// SPDX-License-Identifier: Apache-2.0
// Several processes find what one finds.

#include "../programs/scaling.hpp"
#include "../yardsticks/golden.hpp"

#include <ringproof/verify/explore.hpp>
#include <ringproof/verify/verifier.h>

#include <catch2/catch.hpp>
#include <set>
#include <sstream>

namespace verify = ringproof::verify;
using verify::memory_model;

namespace {

using body = void (*)();

verify::exploration_options with(unsigned jobs, memory_model model = memory_model::rc11) {
    verify::exploration_options options;
    options.model = model;
    options.jobs = jobs;
    options.share_after = 0; // small programs are shared too
    return options;
}

/// Every order of n increments: n!. Large enough for many processes.
void eight() {
    std::thread threads[8];
    for (std::thread& t : threads)
        t = std::thread([] { programs::x.fetch_add(1, std::memory_order_relaxed); });
    for (std::thread& t : threads) t.join();
}

} // namespace

TEST_CASE("every yardstick has as many executions by 2 and 4 processes as by one") {
    std::set<memory_model> models;
    unsigned programs_shared = 0;
    for (const yardsticks::golden& row : yardsticks::golden_rows()) {
        if (row.cost == yardsticks::size::slow || !row.executions || *row.executions < 300 ||
            *row.executions > 5'000 || row.under == yardsticks::model::imm)
            continue;
        const memory_model model = row.under == yardsticks::model::sc    ? memory_model::sc
                                   : row.under == yardsticks::model::tso ? memory_model::tso
                                   : row.under == yardsticks::model::ra  ? memory_model::ra
                                                                         : memory_model::rc11;
        const yardsticks::program* p = yardsticks::find_program(row.program);
        REQUIRE(p);
        verify::exploration_options options = with(1, model);
        options.limits.hangs_refute = false;
        const auto run = [&] { return verify::explore([&] { p->body(row.sizes); }, options); };
        const verify::exploration_result dropping = run(); // branches, as several processes do not
        options.limits.reduce.stale_iteration = false;
        const verify::exploration_result one = run();
        CHECK((dropping.executions == one.executions || one.error.kind != verify::failure_kind::nothing));
        for (const unsigned jobs : {2u, 4u}) {
            options.jobs = jobs;
            const verify::exploration_result many = run();
            CAPTURE(row.program, row.sizes.a, row.sizes.b, jobs, many.processes);
            CHECK(many.error.kind == one.error.kind);
            CHECK_FALSE(many.stopped);
            if (one.error.kind != verify::failure_kind::nothing) continue;
            CHECK(many.executions == one.executions);
            CHECK(many.blocked == one.blocked);
            CHECK(many.pruned == one.pruned);
            CHECK(many.longest == one.longest);
            programs_shared += many.processes > 1;
            models.insert(model);
        }
    }
    CHECK(programs_shared >= 10);
    CHECK(models.size() == 4);
}

TEST_CASE("final states, coverage and threads' names are those of all processes") {
    const body program = GENERATE(body{programs::increments}, body{programs::threads_of_threads},
                                  body{programs::locks_and_waits});
    const memory_model model = GENERATE(memory_model::rc11, memory_model::tso, memory_model::sc);
    verify::exploration_options options = with(1, model);
    options.state = [] {
        std::ostringstream text;
        text << "x=" << programs::x.load() << " y=" << programs::y.load();
        return text.str();
    };
    const auto covering = [&] {
        program();
        if (programs::y.load(std::memory_order_relaxed) > 1) verify::cover("y is large");
    };
    const verify::exploration_result one = verify::explore(covering, options);
    REQUIRE(one.executions > 0);
    for (const unsigned jobs : {2u, 4u}) {
        options.jobs = jobs;
        const verify::exploration_result many = verify::explore(covering, options);
        CHECK(many.executions == one.executions);
        CHECK(many.blocked == one.blocked);
        CHECK(many.states == one.states);
        CHECK(many.covered == one.covered);
    }
}

TEST_CASE("work is handed on as long as there is some") {
    const verify::exploration_result r = verify::explore(eight, with(2));
    CHECK(r.executions == 40'320);
    CHECK(r.processes > 1);
}

namespace {
std::atomic<int> statistics{0};

/// That the orders of its counts make no difference is learnt from its first execution.
void counted() {
    statistics.store(0, std::memory_order_relaxed);
    std::vector<std::thread> threads; // that its memory comes again is learnt before any decision
    for (int i = 0; i < 4; ++i)
        threads.emplace_back([i] {
            programs::x.exchange(i, std::memory_order_relaxed);
            statistics.fetch_add(1, std::memory_order_relaxed);
            programs::x.exchange(i, std::memory_order_relaxed);
        });
    for (std::thread& t : threads) t.join();
}
} // namespace

TEST_CASE("a search that begins anew with what was learnt is shared again") {
    verify::exploration_options one = with(1), many = with(2);
    one.limits.reduce.commuting_update = many.limits.reduce.commuting_update = true;
    const verify::exploration_result alone = verify::explore(counted, one),
                                     shared = verify::explore(counted, many);
    CHECK(shared.discarded > 0);
    CHECK(shared.processes > 1);
    CHECK(shared.executions == alone.executions);
    CHECK(shared.permutations == alone.permutations);
}

TEST_CASE("a search that has begun anew is resumed by several processes where it was") {
    verify::exploration_options part = with(1);
    part.limits.reduce.commuting_update = true;
    part.limits.executions = 100;
    const verify::exploration_result stopped = verify::explore(counted, part);
    REQUIRE(stopped.stopped);
    REQUIRE_FALSE(stopped.lessons.empty());
    verify::exploration_options rest = with(2);
    rest.share_after = 60; // so that one process makes all, and counts them
    std::uint64_t made = 0;
    rest.on_complete = [&] { ++made; };
    rest.limits.reduce.commuting_update = true;
    rest.resume = &stopped;
    const verify::exploration_result whole = verify::explore(counted, rest);
    CHECK(made == whole.executions - stopped.executions);
}

namespace {
/// Goes one of two ways: the first is long, so that another process is given the second.
template <class Second>
auto long_or(Second second) {
    return [second] {
        if (__VERIFIER_nondet_bool())
            second();
        else
            eight();
    };
}
} // namespace

TEST_CASE("an error that only another process finds is the result") {
    const auto wrong = long_or([] { VERIFY_THAT(programs::x.load() == 1); });
    for (const unsigned jobs : {2u, 3u})
        CHECK(verify::explore(wrong, with(jobs)).error.kind == verify::failure_kind::assertion);
}

TEST_CASE("a bound that only another process meets is a bound of the result") {
    const auto any_number = long_or([] { static_cast<void>(__VERIFIER_nondet_int()); });
    const verify::exploration_result r = verify::explore(any_number, with(2));
    CHECK(r.error.message == "");
    CHECK(r.executions > 40'320);
    CHECK_FALSE(r.bounds.empty());
}

TEST_CASE("a search stops after as many executions as it may make") {
    verify::exploration_options options = with(1);
    options.limits.executions = 7;
    const verify::exploration_result r = verify::explore(eight, options);
    CHECK(r.executions == 7);
    CHECK(r.stopped);
}

TEST_CASE("an error that any process finds is the result, and its steps show it again") {
    const auto wrong_once = [] {
        eight();
        std::thread other([] { programs::y.store(1, std::memory_order_relaxed); });
        const int seen = programs::y.load(std::memory_order_relaxed);
        other.join();
        VERIFY_THAT(seen == 0);
    };
    for (const unsigned jobs : {2u, 3u}) {
        const verify::exploration_result r = verify::explore(wrong_once, with(jobs));
        REQUIRE(r.error.kind == verify::failure_kind::assertion);
        CHECK(r.error.message.find("seen == 0") != std::string::npos);
        CHECK_FALSE(r.stopped);
        CHECK_FALSE(r.history.empty());
        CHECK(verify::replay(wrong_once, r.steps).error.kind == verify::failure_kind::assertion);
    }
}

TEST_CASE("a search of several processes goes on where it was stopped, by as many or one") {
    verify::exploration_options options = with(4);
    verify::exploration_result all;
    std::size_t most_parts = 0;
    for (unsigned part = 0;; ++part) {
        options.limits.executions = 7'000;
        options.jobs = part % 3 == 2 ? 1 : 4;
        if (part > 0) options.resume = &all;
        const verify::exploration_result next = verify::explore(eight, options);
        REQUIRE(next.error.kind == verify::failure_kind::nothing);
        all = next;
        if (!all.stopped) break;
        CHECK(all.positions.size() >= 1);
        most_parts = std::max(most_parts, all.positions.size());
        REQUIRE(part < 20);
    }
    CHECK(all.executions == 40'320);
    CHECK(most_parts > 1);
}

TEST_CASE("a limit of time ends all processes") {
    const auto twelve = [] {
        std::thread threads[12];
        for (std::thread& t : threads)
            t = std::thread([] { programs::x.fetch_add(1, std::memory_order_relaxed); });
        for (std::thread& t : threads) t.join();
    };
    verify::exploration_options options = with(3);
    options.limits.seconds = 0.1;
    const verify::exploration_result r = verify::explore(twelve, options);
    CHECK(r.stopped);
    CHECK(r.stopped_by == "--time");
    CHECK(r.executions > 0);
}

TEST_CASE("an execution without an end is given up, with the place of its loop") {
    verify::exploration_options options;
    options.limits.execution_events = 500;
    const auto endless = [] {
        std::thread other([] { programs::y.store(1, std::memory_order_relaxed); });
        for (;;) programs::x.fetch_add(1, std::memory_order_relaxed);
    };
    const verify::exploration_result r = verify::explore(endless, options);
    CHECK(r.error.kind == verify::failure_kind::limit);
    CHECK(r.error.site != 0);
    CHECK(r.longest <= 501);
}

TEST_CASE("a bound of rounds leaves the executions beyond it, and names the loop") {
    const auto attempts = [] {
        std::thread other([] { programs::y.store(1, std::memory_order_relaxed); });
        while (programs::y.load(std::memory_order_relaxed) == 0)
            programs::x.fetch_add(1, std::memory_order_relaxed);
        other.join();
    };
    for (unsigned rounds = 1; rounds < 6; ++rounds) {
        verify::exploration_options options;
        options.limits.rounds = rounds;
        const verify::exploration_result r = verify::explore(attempts, options);
        CHECK(r.executions == rounds); // it is left after any number of rounds
        CHECK(r.cut_at.size() == 1);
    }
}
