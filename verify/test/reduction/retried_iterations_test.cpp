// SPDX-License-Identifier: Apache-2.0
// Rounds of loops that leave something behind are left out, unless somebody can tell: whatever the program
// comes to, it comes to with them and without.
#include "../programs/expect.hpp"
#include "../programs/programs.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

namespace {

compared comes_to_the_same(void (*program)()) {
    return test::comes_to_the_same(program,
                                   [](exploration_limits& limits) { limits.reduce = reductions::none(); });
}

} // namespace

TEST_CASE("failed pushes that link their own nodes by plain stores leave one execution for each order") {
    CHECK(comes_to_the_same(programs::pushes_own_plain_nodes).some == 6);
}
TEST_CASE("failed exchanges leave one execution for each order") {
    const exploration_result r = run(programs::adds_by_exchange);
    CHECK(r.error.message == "");
    CHECK(r.executions == 6);
}
TEST_CASE("a thread whose exchange failed spuriously can go on with what is there") {
    for (const exploring spurious : {exploring::never, exploring::always}) {
        exploration_options options;
        options.limits.spurious = spurious;
        const exploration_result r = explore(programs::adds_by_weak_exchange, options);
        CAPTURE(static_cast<int>(spurious), r.blocked);
        CHECK(r.error.message == "");
        CHECK(r.executions == 6);
    }
}
TEST_CASE("rounds that somebody can tell are explored") {
    for (void (*const program)() :
         {programs::adds_and_counts_rounds, programs::adds_and_gives_up, programs::adds_by_turns,
          programs::pushes_and_remembers, programs::pushes_and_remembers_plainly}) {
        const auto [all, some] = comes_to_the_same(program);
        CHECK(some <= all);
    }
}
TEST_CASE("rounds that store by atomic accesses are explored, whether another thread can read it or not") {
    const auto [all, some] = comes_to_the_same(programs::pushes_own_nodes);
    CHECK(some > 6);
    CHECK(some <= all);
    comes_to_the_same(programs::pushes_while_watched);
    comes_to_the_same(programs::pushes_without_order);
}
TEST_CASE("a failed exchange that orders less than the first look is no first look") {
    CHECK(run(programs::fails_with_less_order).error.kind == failure_kind::data_race);
}
TEST_CASE("a loop that waits by two reads for ever hangs, and so does its replay") {
    fails(programs::waits_by_two_reads_for_ever, failure_kind::livelock);
}
