// SPDX-License-Identifier: Apache-2.0
// Attempts that take back what they added are left out, unless somebody can tell: whatever the program
// comes to, it comes to with them and without.
#include "expect.hpp"
#include "programs/programs.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

namespace {

exploration_result explore_with(void (*program)(), memory_model model, bool attempts_wait) {
    exploration_options options;
    options.model = model;
    options.limits.seconds = 60;
    options.limits.attempts_wait = attempts_wait;
    options.state = [] {
        return std::to_string(programs::seen_by[0]) + ' ' + std::to_string(programs::seen_by[1]) + ' ' +
               std::to_string(programs::seen_by[2]);
    };
    return explore(program, options);
}

/// @return how many executions each has, under rc11
std::pair<std::uint64_t, std::uint64_t> comes_to_the_same(void (*program)()) {
    std::pair<std::uint64_t, std::uint64_t> executions;
    for (const memory_model model : {memory_model::sc, memory_model::tso, memory_model::rc11}) {
        const exploration_result all = explore_with(program, model, false);
        const exploration_result some = explore_with(program, model, true);
        CAPTURE(static_cast<int>(model), all.executions, some.executions);
        CHECK(all.error.message == "");
        CHECK(some.error.message == "");
        CHECK_FALSE(some.stopped);
        std::vector<std::string> states[2];
        for (const auto& [state, times] : all.states) states[0].push_back(state);
        for (const auto& [state, times] : some.states) states[1].push_back(state);
        CHECK(states[0] == states[1]);
        executions = {all.executions, some.executions};
    }
    return executions;
}

} // namespace

TEST_CASE("a reader-writer lock that takes back has the executions of its successes alone") {
    CHECK(comes_to_the_same(programs::takes_back_reader_and_writer).second == 2);
    CHECK(comes_to_the_same(programs::takes_back_two_readers).second == 14);
}
TEST_CASE("the same lock without its barrier races") {
    CHECK(run(programs::takes_back_without_acquire).error.kind == failure_kind::data_race);
}
TEST_CASE("an attempt that can never succeed waits for ever") {
    fails(programs::takes_back_for_ever, failure_kind::livelock);
}
TEST_CASE("attempts that somebody can tell are explored") {
    for (void (*const program)() : {programs::takes_back_beside_one_who_tries, programs::takes_back_watched,
                                    programs::takes_back_and_remembers, programs::takes_back_beside_a_store,
                                    programs::takes_back_and_gives_up}) {
        const auto [all, some] = comes_to_the_same(program);
        CHECK(all == some);
    }
}
