// SPDX-License-Identifier: Apache-2.0
// The order of read-modify-writes whose results are not used is explored where a thread can tell.
#include "../programs/expect.hpp"
#include "../programs/updates.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

namespace {

exploration_result explored(void (*program)(), memory_model model, bool commuting) {
    exploration_options options;
    options.model = model;
    options.limits.reduce.commuting_update = commuting;
    return explore(program, options);
}

/// One execution where there are `orders`, under each model in which updates commute.
void commutes(void (*program)(), std::uint64_t orders) {
    for (const memory_model model : {memory_model::rc11, memory_model::sc, memory_model::tso}) {
        const exploration_result with = explored(program, model, true),
                                 without = explored(program, model, false);
        CAPTURE(static_cast<int>(model));
        CHECK(with.error.message == "");
        CHECK(with.executions == 1);
        CHECK(without.executions == orders);
        CHECK(entered(with, assumption::update_order) > 0);
        if (model == memory_model::rc11) CHECK(with.permutations == static_cast<double>(orders));
    }
}

/// As many as without the reduction.
void has_an_order(void (*program)(), memory_model model) {
    const exploration_result with = explored(program, model, true), without = explored(program, model, false);
    CAPTURE(static_cast<int>(model));
    CHECK(with.error.kind == without.error.kind);
    CHECK(with.executions == without.executions);
}

} // namespace

TEST_CASE("four updates have one execution, and 4! with their orders") {
    commutes(programs::updates_of_four, 24);
    commutes(programs::updates_with_bits, 6);
}
TEST_CASE("updates on both sides of a look commute on each") { commutes(programs::updates_then_a_look, 4); }
TEST_CASE("updates that are looked at meanwhile have an order") {
    for (const memory_model model :
         {memory_model::rc11, memory_model::sc, memory_model::tso, memory_model::ra}) {
        CHECK(explored(programs::updates_that_are_looked_at, model, true).error.kind ==
              failure_kind::assertion);
        const auto covered = [&](void (*program)()) { return explored(program, model, true).covered; };
        CHECK(covered(programs::updates_that_are_used) == std::set<std::string>{"first", "second"});
        CHECK(covered(programs::updates_that_are_looked_at_if) == std::set<std::string>{"0", "1", "2", "3"});
        CHECK(covered(programs::updates_that_are_used_if) == std::set<std::string>{"0", "1", "2", "3"});
    }
}
TEST_CASE("updates whose result picks the function that is called have an order") {
    for (const memory_model model :
         {memory_model::rc11, memory_model::sc, memory_model::tso, memory_model::ra})
        has_an_order(programs::updates_that_pick_a_function, model);
}
TEST_CASE("updates that acquire have an order under rc11") {
    has_an_order(programs::updates_that_acquire, memory_model::rc11);
    has_an_order(programs::updates_before_a_fence, memory_model::rc11);
    CHECK(explored(programs::updates_that_acquire, memory_model::rc11, true).error.message == "");
    CHECK(explored(programs::updates_before_a_fence, memory_model::rc11, true).error.message == "");
}
TEST_CASE("updates have an order under ra") {
    has_an_order(programs::updates_between_stores, memory_model::ra);
}
TEST_CASE("what one order of updates shows is found") {
    for (const memory_model model : {memory_model::rc11, memory_model::sc, memory_model::tso})
        CHECK(explored(programs::updates_around_a_race, model, true).error.kind == failure_kind::data_race);
    CHECK(explored(programs::updates_between_stores, memory_model::rc11, true).error.kind ==
          failure_kind::assertion);
    CHECK(explored(programs::updates_between_stores, memory_model::sc, true).error.message == "");
    CHECK(explored(programs::updates_between_stores, memory_model::tso, true).error.message == "");
}
TEST_CASE("what fails behind updates is replayed") {
    exploration_options options;
    options.limits.reduce.commuting_update = true;
    const exploration_result r = explore(programs::updates_between_stores, options);
    REQUIRE(r.error.kind == failure_kind::assertion);
    CHECK(replay(programs::updates_between_stores, r.steps, options).error.message == r.error.message);
}
TEST_CASE("counts of a latch have one order") {
    for (const memory_model model : {memory_model::rc11, memory_model::sc, memory_model::tso}) {
        CHECK(explored(programs::latch_hands_over, model, true).executions == 1);
        CHECK(explored(programs::latch_hands_over, model, false).executions == 2);
    }
    has_an_order(programs::latch_hands_over, memory_model::ra);
    for (const memory_model model :
         {memory_model::rc11, memory_model::sc, memory_model::tso, memory_model::ra}) {
        CHECK(explored(programs::latch_hands_over_too_early, model, true).error.kind ==
              failure_kind::data_race);
        CHECK(explored(programs::latch_is_never_zero, model, true).error.kind == failure_kind::deadlock);
        CHECK(explored(programs::latch_is_counted_below_zero, model, true).error.kind ==
              failure_kind::lock_misuse);
        CHECK(explored(programs::latch_is_tried, model, true).covered ==
              std::set<std::string>{"not yet", "zero"});
    }
}
