// SPDX-License-Identifier: Apache-2.0
// Memory that has two addresses.
#include "../programs/expect.hpp"
#include "../programs/views.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

TEST_CASE("an atomic that is seen at two addresses is one") {
    holds(programs::one_atomic_at_two_addresses, 2);
    holds(programs::exchanges_at_two_addresses, 2);
    holds(programs::locks_over_two_views, 2);
    holds(programs::volatile_over_two_views, 2);
    CHECK(run(programs::mixed_sizes_over_two_views).error.message == "");
}
TEST_CASE("what two views show is ordered as at one address") {
    holds(programs::message_over_two_views, 2);
    CHECK(run(programs::message_over_two_views_relaxed).error.kind == failure_kind::data_race);
    fails(programs::races_over_two_views, failure_kind::data_race, "write of 4 bytes");
}
TEST_CASE("a ring that is mapped twice in a row needs its barrier") {
    holds(programs::ring_mapped_twice, 2);
    holds(programs::half_of_a_record_behind_the_wrap, 1);
    CHECK(run(programs::ring_mapped_twice_without_barrier).error.kind == failure_kind::data_race);
}
TEST_CASE("a view is unmapped for itself") {
    holds(programs::one_view_is_unmapped, 1);
    fails(programs::use_of_the_unmapped_view, failure_kind::use_after_free, "use after munmap");
    const failure_kind kind = run(programs::view_is_unmapped_while_in_use).error.kind;
    CHECK((kind == failure_kind::data_race || kind == failure_kind::use_after_free));
    holds(programs::view_is_unmapped_when_done, 2);
    CHECK(run(programs::view_is_unmapped_too_early).error.kind == failure_kind::data_race);
    holds(programs::other_view_is_unmapped_while_in_use, 1);
}
TEST_CASE("addresses are a view in one execution and not in another") {
    holds(programs::view_becomes_memory_of_its_own, 1);
    holds(programs::view_or_memory_by_chance);
}
TEST_CASE("code that does not announce its accesses writes to all views") {
    holds(programs::library_writes_to_a_view, 1);
}
TEST_CASE("memory of views has no address of its own for the program") {
    fails(programs::use_of_a_home, failure_kind::wild_access, "nothing is mapped");
}
TEST_CASE("processes that share a search have views of their own") {
    for (auto program : {programs::view_or_memory_by_chance, programs::many_executions_over_two_views,
                         programs::ring_mapped_twice}) {
        const exploration_result r =
            run_with(program, &exploration_limits::spurious, exploring::when_told, 2);
        CHECK(r.error.message == "");
        CHECK(r.executions == run(program).executions);
    }
}
TEST_CASE("a plain write over many atomics is one of each") {
    holds(programs::clears_many_atomics);
    const failure_kind kind = run(programs::clears_many_atomics_in_use).error.kind;
    CHECK(kind == failure_kind::data_race);
}
