// SPDX-License-Identifier: Apache-2.0
// What was tried out of a thread in one state is remembered: the search is the same as when each trial is made anew.
#include "../programs/expect.hpp"
#include "../programs/programs.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

namespace {

exploration_result with(bool remembered, void (*program)(), memory_model model) {
    exploration_options options;
    options.model = model;
    options.limits.reduce.tried_look = remembered;
    options.digest = true;
    return explore(program, options);
}

} // namespace

TEST_CASE("remembered trials leave the search as it is, whether someone can tell or not") {
    const auto program = GENERATE(programs::takes_back_reader_and_writer, programs::takes_back_two_readers,
                                  programs::takes_back_beside_one_who_tries, programs::takes_back_watched,
                                  programs::takes_back_and_gives_up, programs::takes_back_too_little);
    for (const memory_model model : {memory_model::sc, memory_model::tso, memory_model::rc11}) {
        const exploration_result anew = with(false, program, model), remembered = with(true, program, model);
        CHECK(anew.error.message == "");
        CHECK(remembered.executions == anew.executions);
        CHECK(remembered.blocked == anew.blocked);
        CHECK(remembered.digest == anew.digest);
    }
}

TEST_CASE("a race and a wait without an end are found with remembered trials") {
    CHECK(with(true, programs::takes_back_without_acquire, memory_model::rc11).error.kind ==
          failure_kind::data_race);
    CHECK(with(true, programs::takes_back_for_ever, memory_model::rc11).error.kind == failure_kind::livelock);
}
