// SPDX-License-Identifier: Apache-2.0
// Attempts that take back what they added are left out, unless somebody can tell: whatever the program
// comes to, it comes to with them and without.
#include "../programs/expect.hpp"
#include "../programs/programs.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

namespace {

compared comes_to_the_same(void (*program)()) {
    return test::comes_to_the_same(program,
                                   [](exploration_limits& limits) { limits.reduce.undone_attempt = false; });
}

} // namespace

TEST_CASE("a reader-writer lock that takes back has the executions of its successes alone") {
    CHECK(comes_to_the_same(programs::takes_back_reader_and_writer).some == 2);
    CHECK(comes_to_the_same(programs::takes_back_two_readers).some == 14);
}
TEST_CASE("the same lock without its barrier races") {
    CHECK(run(programs::takes_back_without_acquire).error.kind == failure_kind::data_race);
}
TEST_CASE("an attempt that looks at what another thread writes races") {
    fails(programs::takes_back_and_looks, failure_kind::data_race);
}
TEST_CASE("an attempt that can never succeed waits for ever") {
    fails(programs::takes_back_for_ever, failure_kind::livelock);
}
TEST_CASE("attempts that somebody can tell are explored") {
    int number = 0;
    for (void (*const program)() : {programs::takes_back_beside_one_who_tries, programs::takes_back_watched,
                                    programs::takes_back_and_remembers, programs::takes_back_beside_a_store,
                                    programs::takes_back_and_gives_up, programs::takes_back_and_counts,
                                    programs::takes_back_and_tells_later}) {
        INFO("program " << ++number);
        const auto [all, some] = comes_to_the_same(program);
        CHECK(all == some);
    }
}
TEST_CASE("an attempt that takes back too little is none, and those beside it may be left out") {
    const auto [all, some] = comes_to_the_same(programs::takes_back_too_little);
    CHECK(all == 8);
    CHECK((some == 8 || some == 4)); // by what lies in stack slots that others may reach
}
TEST_CASE("what a thread reads elsewhere between its attempts is explored") {
    fails(programs::takes_back_and_is_told, failure_kind::assertion);
}
