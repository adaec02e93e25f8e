// SPDX-License-Identifier: Apache-2.0
#include "../programs/expect.hpp"
#include "../programs/programs.hpp"

#include <cfenv>
#include <set>

using namespace ringproof::verify::test;
using ringproof::verify::failure_kind;

TEST_CASE("a loop that changes the rounding mode does not wait: it ends in either") {
    static int mode_at_end;
    std::set<int> modes, of_the_engine;
    ringproof::verify::exploration_options options;
    options.on_complete = [&] {
        modes.insert(mode_at_end);
        of_the_engine.insert(std::fegetround());
    };
    const auto r = explore([] { programs::rounding_turned_while_waiting(mode_at_end); }, options);
    CHECK(r.error.message == "");
    CHECK(modes == std::set<int>{FE_TONEAREST, FE_UPWARD});
    CHECK(of_the_engine == std::set<int>{FE_TONEAREST}); // whatever the program's threads compute with
    CHECK(std::fegetround() == FE_TONEAREST);
    fails(programs::rounding_turned_while_waiting_is_seen, failure_kind::assertion);
}
TEST_CASE("floating-point exceptions that a waiting loop raises are seen behind it") {
    fails(programs::flag_raised_while_waiting_is_seen, failure_kind::assertion);
    fails(programs::inexact_while_waiting_is_seen, failure_kind::assertion);
}
TEST_CASE("each thread has its own floating-point environment, at first its creator's") {
    holds(programs::floating_point_environments_are_apart, 4); // who is first, and what it sees then
}
