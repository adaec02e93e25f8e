// SPDX-License-Identifier: Apache-2.0
// A branch with an iteration that fails for a value which was replaced is dropped: the executions are the same, and fewer are
// blocked.
#include "../programs/expect.hpp"
#include "../programs/stale.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

namespace {

exploration_options with(bool reduced, memory_model model, std::uint64_t order) {
    exploration_options options;
    options.model = model;
    options.limits.reduce.stale_iteration = reduced;
    options.limits.order_seed = order;
    options.limits.seconds = 60;
    options.digest = true;
    return options;
}

/// @return how many executions were blocked without the reduction, and are not with it, in all models
std::uint64_t fewer_blocked(void (*program)()) {
    std::uint64_t fewer = 0;
    for (const memory_model model :
         {memory_model::sc, memory_model::tso, memory_model::ra, memory_model::rc11})
        for (const std::uint64_t order : {0, 1, 2, 3}) {
            const exploration_result all = explore(program, with(false, model, order)),
                                     some = explore(program, with(true, model, order));
            CAPTURE(static_cast<int>(model), order, all.blocked, some.blocked);
            CHECK(all.error.message == "");
            CHECK(some.error.message == "");
            CHECK(some.executions > 0);
            CHECK(some.executions == all.executions);
            CHECK(some.digest == all.digest);
            CHECK(some.blocked <= all.blocked);
            fewer += all.blocked - some.blocked;
        }
    return fewer;
}

} // namespace

TEST_CASE(
    "a queue popped in a loop has the executions that it has without dropping branches, and hardly more") {
    CHECK(fewer_blocked(programs::pushes_and_pops_in_loops) > 100);
    const exploration_result r = run(programs::pushes_and_pops_in_loops);
    CHECK(r.executions == 4);
    CHECK(r.blocked <= 2 * r.executions);
    CHECK(entered(r, assumption::stale_iteration));
}
TEST_CASE("an iteration of an old value that may still end otherwise is explored") {
    const auto program =
        GENERATE(programs::ends_with_a_value_of_its_last_look, programs::ends_with_what_nobody_wrote,
                 programs::ends_with_a_plain_value, programs::ends_with_plain_memory);
    fewer_blocked(program);
}
TEST_CASE("an iteration of an old value that leaves something in memory is explored") {
    fewer_blocked(programs::remembers_an_iteration);
    fewer_blocked(programs::remembers_that_it_was_here);
}
TEST_CASE("a replaced value says nothing of an exchange of another word") {
    fewer_blocked(programs::exchanges_another_word);
}
