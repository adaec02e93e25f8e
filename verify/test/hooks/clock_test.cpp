// SPDX-License-Identifier: Apache-2.0
#include "../programs/expect.hpp"
#include "../programs/programs.hpp"

using namespace ringproof::verify::test;

TEST_CASE("clocks go forward, with sleeps and from parent to child") {
    holds(programs::clocks_go_forward, 1);
}
TEST_CASE("a loop with a deadline sees the change or ends") {
    holds(programs::a_deadline_passes);
    CHECK(run(programs::a_deadline_passes).covered == std::set<std::string>{"seen", "too late"});
}
TEST_CASE("random numbers are the same in each execution") { holds(programs::random_numbers_repeat); }
TEST_CASE("a loop that sleeps has one execution") { holds(programs::sleeping_loop_waits, 1); }
