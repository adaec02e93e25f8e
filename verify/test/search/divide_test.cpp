// SPDX-License-Identifier: Apache-2.0
#include "../programs/divided.hpp"
#include "../programs/expect.hpp"
#include "../programs/programs.hpp"
#include "../programs/scaling.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

namespace {

exploration_options everything(memory_model model = memory_model::rc11) {
    exploration_options options;
    options.model = model;
    options.limits.reduce.symmetry = options.limits.reduce.commuting_update = true;
    options.digest = true;
    return options;
}

} // namespace

TEST_CASE("the parts of a search find together what the whole finds") {
    using body = void (*)();
    const body program = GENERATE(body{::programs::increments}, body{::programs::readers},
                                  body{::programs::threads_of_threads}, body{::programs::locks_and_waits},
                                  body{programs::takes_back_two_readers});
    const memory_model model = GENERATE(memory_model::rc11, memory_model::sc);
    const exploration_result whole = explore(program, everything(model));
    REQUIRE(whole.error.kind == failure_kind::nothing);
    for (const std::uint64_t first : {1u, 20u})
        for (const std::size_t parts : {2u, 10u}) {
            const divided_search divided = explore_divided(program, everything(model), first, parts);
            CAPTURE(first, parts, divided.parts, divided.divisions);
            REQUIRE(divided.ends);
            CHECK(divided.all.error.message.empty());
            CHECK(divided.all.executions == whole.executions);
            CHECK(divided.all.permutations == whole.permutations);
            CHECK(divided.all.digest == whole.digest);
            CHECK(divided.all.longest == whole.longest);
        }
}

TEST_CASE("a search is divided into as many parts as asked for, where it has so many") {
    exploration_options options = everything();
    options.limits.executions = 1;
    options.limits.divide = 100;
    const exploration_result head = explore(::programs::increments, options);
    REQUIRE(head.stopped);
    CHECK(head.positions.size() == 100);
    CHECK(head.executions < 100);
    CHECK(head.judged);
    options.limits.divide = 10'000; // of 720 executions
    const exploration_result all = explore(::programs::increments, options);
    CHECK_FALSE(all.stopped);
    CHECK(all.executions == 720);
    CHECK(all.positions.empty());
}

TEST_CASE("a part that learns something ends, and says so") {
    // Stopped before its first execution it has learnt nothing; each part learns what makes the whole begin anew.
    exploration_options options = everything();
    const exploration_result whole = explore(programs::takes_back_two_readers, options);
    REQUIRE(whole.discarded > 0);
    // Not divided beyond where it was stopped: random executions that weigh the parts would have taught the whole.
    const divided_search divided = explore_divided(programs::takes_back_two_readers, options, 1, 0);
    CHECK(divided.divisions > 0);
    CHECK(divided.all.executions == whole.executions);
}
