// SPDX-License-Identifier: Apache-2.0
// Under unfair scheduling a loop that waits has to yield.
#include "../programs/expect.hpp"
#include "../programs/programs.hpp"

#include <ringproof/verify/sampling.hpp>

using namespace ringproof::verify::test;
using namespace ringproof::verify;

namespace {

using Catch::Matchers::Contains;

constexpr memory_model models[] = {memory_model::rc11, memory_model::sc, memory_model::tso, memory_model::ra};

exploration_options unfairly(memory_model model) {
    exploration_options options;
    options.model = model;
    options.limits.seconds = 60;
    options.limits.unfair = true;
    options.limits.reduce.symmetry = options.limits.reduce.commuting_update = true;
    return options;
}

/// It holds fairly scheduled, and is refuted unfairly scheduled; a replay shows the same.
void needs_a_yield(void (*program)()) {
    for (const memory_model model : models) {
        CAPTURE(static_cast<int>(model));
        CHECK(run(program, model).error.message == "");
        const exploration_options options = unfairly(model);
        const exploration_result found = explore(program, options);
        CHECK(found.error.kind == failure_kind::livelock);
        CHECK_THAT(found.error.message, Contains("does not yield"));
        const exploration_result again = replay(program, found.steps, options);
        CHECK(again.error.message == found.error.message);
        CHECK(again.error.site == found.error.site);
    }
}

void needs_no_more(void (*program)()) {
    for (const memory_model model : models) {
        const exploration_result found = explore(program, unfairly(model));
        CAPTURE(static_cast<int>(model), found.executions);
        CHECK(found.error.message == "");
        CHECK_FALSE(found.stopped);
        CHECK(found.bounds.empty());
        CHECK(found.executions > 0);
    }
}

} // namespace

TEST_CASE("unfairly scheduled, a loop that reads until a value changes has to yield") {
    needs_a_yield(programs::waits_for_a_flag);
    needs_no_more(programs::waits_for_a_flag_and_yields);
    needs_no_more(programs::waits_for_a_flag_and_yields_first);
    needs_a_yield(programs::waits_with_a_fence);
}
TEST_CASE("unfairly scheduled, a loop that reads several words has to yield") {
    needs_a_yield(programs::waits_for_two_flags);
    needs_no_more(programs::waits_for_two_flags_and_yields);
    needs_a_yield(programs::waits_for_one_of_two_flags);
    needs_no_more(programs::waits_for_one_of_two_flags_and_yields);
}
TEST_CASE("unfairly scheduled, a loop of a compare-exchange that finds another value has to yield") {
    needs_a_yield(programs::waits_by_compare_exchange);
}
TEST_CASE("unfairly scheduled, a spin lock has to yield") {
    needs_a_yield(programs::spins_on_a_test_and_set);
    needs_a_yield(programs::spins_on_a_held_test_and_set);
    needs_a_yield(programs::spins_on_a_try_lock);
    needs_no_more(programs::spins_on_a_test_and_set_and_yields);
}
TEST_CASE("unfairly scheduled, one of two loops that wait for each other has to yield") {
    needs_a_yield(programs::waits_for_who_waits_for_it);
}
TEST_CASE("unfairly scheduled, a loop that reads an old value needs no other thread") {
    needs_no_more(programs::reads_an_old_value_again);
    needs_no_more(programs::reads_an_old_value_of_two_again);
}
TEST_CASE("unfairly scheduled, attempts that fail because others succeed need no yield") {
    needs_no_more(programs::adds_by_compare_exchange);
}
TEST_CASE("unfairly scheduled, waits of the library need no yield") {
    needs_no_more(programs::waits_by_library);
}

TEST_CASE("unfairly scheduled, several processes and random executions find a loop that does not yield") {
    exploration_options options = unfairly(memory_model::rc11);
    options.jobs = 2;
    options.share_after = 0;
    CHECK(explore(programs::waits_for_two_flags, options).error.kind == failure_kind::livelock);
    CHECK(explore_randomly(programs::waits_for_a_flag, 200, 1, unfairly(memory_model::rc11)).error.kind ==
          failure_kind::livelock);
}
