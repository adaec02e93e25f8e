// SPDX-License-Identifier: Apache-2.0
// A read of a value with which an assumption fails is not made: the executions are the same, and fewer are blocked.
#include "../programs/assumed.hpp"
#include "../programs/expect.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

namespace {

exploration_result with(bool reduced, void (*program)(), memory_model model, bool symmetry = false) {
    exploration_options options;
    options.model = model;
    options.limits.reduce.assumed_read = reduced;
    options.limits.reduce.symmetry = symmetry;
    options.limits.seconds = 60;
    options.digest = true;
    return explore(program, options);
}

} // namespace

TEST_CASE("reads with which an assumption fails are given up, and the executions stay") {
    const auto program =
        GENERATE(programs::assumes_the_last_of_three, programs::assumes_that_an_exchange_succeeds,
                 programs::assumes_with_two_looks, programs::assumes_of_each_other);
    for (const memory_model model :
         {memory_model::sc, memory_model::tso, memory_model::ra, memory_model::rc11}) {
        const exploration_result all = with(false, program, model), some = with(true, program, model);
        CAPTURE(static_cast<int>(model), all.blocked, some.blocked);
        CHECK(all.error.message == "");
        CHECK(some.error.message == "");
        CHECK(some.executions > 0);
        CHECK(some.executions == all.executions);
        CHECK(some.digest == all.digest);
        CHECK(some.blocked < all.blocked);
        CHECK(some.blocked_by_assumption == all.blocked_by_assumption);
    }
}
TEST_CASE("what an assumption waits for is read once, and nothing is blocked") {
    const exploration_result r = run(programs::assumes_the_last_of_three);
    CHECK(r.executions == 1);
    CHECK(r.blocked == 0);
}
TEST_CASE("alike threads that assume have the executions that they have without") {
    const exploration_result all =
        with(false, programs::assumes_that_an_exchange_succeeds, memory_model::rc11, true);
    const exploration_result some =
        with(true, programs::assumes_that_an_exchange_succeeds, memory_model::rc11, true);
    CHECK(some.executions == all.executions);
    CHECK(some.permutations == all.permutations);
}
TEST_CASE("a thread whose assumption never holds does not hang, nor does one that waits for it") {
    const exploration_result r = run(programs::assumes_what_never_comes);
    CHECK(r.error.message == "");
    CHECK(r.executions == 0);
    CHECK(r.blocked == 1);
    CHECK(r.blocked_by_assumption == 0); // another thread waits
}
TEST_CASE("an execution is excluded by an assumption where that fails with the newest value") {
    const exploration_result all = with(false, programs::assumes_the_last_of_three, memory_model::rc11);
    CHECK(all.blocked == 3);
    CHECK(all.blocked_by_assumption == 0);
    for (const bool reduced : {false, true}) {
        const exploration_result r =
            with(reduced, programs::assumes_what_is_written_over, memory_model::rc11);
        CHECK(r.executions == 1);
        CHECK(r.blocked_by_assumption == 1);
    }
}
TEST_CASE("what assumptions exclude is counted by several processes as by one") {
    exploration_options options;
    const exploration_result one = explore(programs::assumes_of_each_other, options);
    options.jobs = 2;
    options.share_after = 0;
    CHECK(explore(programs::assumes_of_each_other, options).blocked_by_assumption ==
          one.blocked_by_assumption);
}
TEST_CASE("an error beside a thread whose assumption fails is found") {
    const exploration_result r = run(programs::fails_beside_an_assumption);
    CHECK(r.error.kind == failure_kind::assertion);
}
TEST_CASE("a race between a read and the assumption that follows is found") {
    fails(programs::races_before_an_assumption, failure_kind::data_race);
    fails(programs::races_before_an_assumption_of_old_values, failure_kind::data_race);
    fails(programs::races_in_an_assumption, failure_kind::data_race);
}
