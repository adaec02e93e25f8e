// SPDX-License-Identifier: Apache-2.0
// Iterations of an old value that may still come to something else are explored.
#include "../programs/stale_expect.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

TEST_CASE("an iteration of an old value that may still end otherwise is explored") {
    const auto program = GENERATE(
        programs::ends_with_a_value_of_its_last_look, programs::ends_with_what_nobody_wrote,
        programs::ends_with_what_none_has_looked_at, programs::ends_with_what_it_alone_looks_at,
        programs::ends_with_a_plain_value, programs::ends_with_plain_memory,
        programs::ends_with_the_last_of_many_values, programs::ends_with_a_local_that_another_writes);
    fewer_blocked(program);
}
TEST_CASE("an iteration of an old value that leaves something in memory is explored") {
    fewer_blocked(programs::remembers_an_iteration);
    fewer_blocked(programs::remembers_that_it_was_here);
}
TEST_CASE("what an iteration of an old value writes may race") {
    for (const std::uint64_t order : {0, 1, 2, 3, 4, 5, 6, 7}) {
        exploration_options options;
        options.limits.order_seed = order;
        CHECK(explore(programs::races_in_an_iteration_of_an_old_value, options).error.kind ==
              failure_kind::data_race);
    }
}
TEST_CASE("a value that a store replaced may still be exchanged") {
    fewer_blocked(programs::exchanges_what_a_store_replaced);
}
TEST_CASE("a replaced value says nothing of an exchange that fails spuriously") {
    fewer_blocked(programs::fails_spuriously_on_what_was_replaced);
}
TEST_CASE("a value of two threads may be read anew") { fewer_blocked(programs::sees_a_value_of_two_threads); }
TEST_CASE("a read of another thread may be revisited behind the first look") {
    fewer_blocked(programs::looks_twice_beside_one_who_does);
}
TEST_CASE("a first look that is revisited with the second one is at nothing old") {
    fewer_blocked(programs::waits_for_who_has_seen_its_last_look);
}
TEST_CASE("a value that came behind what was acquired may be read") {
    fewer_blocked(programs::ends_with_what_came_behind_what_it_acquired);
}
TEST_CASE("a replaced value says nothing of an exchange of another word") {
    fewer_blocked(programs::exchanges_another_word);
}
