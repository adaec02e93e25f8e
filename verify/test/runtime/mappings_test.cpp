// SPDX-License-Identifier: Apache-2.0
#include "../programs/expect.hpp"
#include "../programs/programs.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

TEST_CASE("mapped memory is zero in each execution") {
    holds(programs::mapped_memory_is_zero, 2);
    fails(programs::mapped_memory_is_not_a_memory, failure_kind::assertion);
}
TEST_CASE("each execution unmaps what it has mapped") { holds(programs::unmapped_by_each_execution, 2); }
TEST_CASE("an access of unmapped memory is found") {
    fails(programs::use_after_munmap, failure_kind::use_after_free, "use after munmap: write of 1 bytes");
    fails(programs::atomic_use_after_munmap, failure_kind::use_after_free, "use after munmap");
    fails(programs::unmapped_twice, failure_kind::double_free, "double munmap");
}
TEST_CASE("memory that is unmapped while another thread uses it is found") {
    const failure_kind kind = run(programs::unmapped_while_in_use).error.kind;
    CHECK((kind == failure_kind::data_race || kind == failure_kind::use_after_free));
    holds(programs::unmapped_when_done, 2);
    CHECK(run(programs::unmapped_too_early).error.kind == failure_kind::data_race);
}
TEST_CASE("a part of a mapping is unmapped, and the rest stays") {
    holds(programs::unmapped_in_part, 1);
    fails(programs::use_of_the_unmapped_part, failure_kind::use_after_free, "use after munmap");
    fails(programs::use_beyond_a_mapping, failure_kind::wild_access, "where nothing is mapped");
}
TEST_CASE("protected memory is not touched") {
    fails(programs::guard_page, failure_kind::wild_access, "PROT_NONE");
    fails(programs::write_to_a_read_only_page, failure_kind::wild_access, "may only be read");
    holds(programs::protection_is_given_back, 1);
}
TEST_CASE("a change of protection races with accesses that need what it takes") {
    const failure_kind kind = run(programs::protected_while_in_use).error.kind;
    CHECK((kind == failure_kind::data_race || kind == failure_kind::wild_access));
    holds(programs::read_while_protected_against_writes, 1);
    CHECK(run(programs::used_before_it_is_allowed).error.kind == failure_kind::data_race);
}
TEST_CASE("mapped memory is not used before its mapping is known") {
    CHECK(run(programs::mapped_elsewhere).error.kind == failure_kind::data_race);
    holds(programs::mapped_and_handed_over, 2);
}
TEST_CASE("what a thread maps is in the same place, whatever others have mapped before") {
    holds(programs::mappings_stay_in_place, 2);
}
TEST_CASE("a mapping that grows keeps what it holds, and moves") {
    holds(programs::grows_and_moves, 2);
    fails(programs::use_of_the_old_place, failure_kind::use_after_free, "use after munmap");
}
TEST_CASE("memory that was thrown away begins with zeros") {
    holds(programs::thrown_away);
    fails(programs::thrown_away_while_in_use, failure_kind::data_race);
}
TEST_CASE("memory is mapped over what the program has mapped, and nowhere else that it fixes") {
    holds(programs::mapped_over, 1);
    fails(programs::mapped_where_nothing_is, failure_kind::unsupported, "fixed address");
    fails(programs::executable_memory, failure_kind::unsupported, "PROT_EXEC");
}
TEST_CASE("shared anonymous memory is memory of the threads") { holds(programs::shared_and_anonymous, 2); }
TEST_CASE("of a large reserve only what is used counts") {
    holds(programs::a_large_reserve, 2);
    fails(programs::too_large_a_reserve, failure_kind::limit, "128 GiB");
}
TEST_CASE("code that does not announce its accesses finds mapped memory, and its protection") {
    holds(programs::touched_by_the_library, 2);
    fails(programs::library_runs_into_a_guard_page, failure_kind::wild_access, "PROT_NONE");
}
TEST_CASE("the break moves up and down, and is one for all threads") {
    holds(programs::the_break_moves, 2);
    fails(programs::the_break_races, failure_kind::data_race);
    fails(programs::use_above_the_break, failure_kind::use_after_free);
}
TEST_CASE("memory is mapped by the number of the system call") { holds(programs::mapped_by_number, 2); }
TEST_CASE("a bump allocator over a mapping hands out each part once") {
    holds(programs::allocates_by_fetch_add, 2);
    CHECK(run(programs::allocates_by_load_and_store).error.kind == failure_kind::data_race);
}
TEST_CASE("static and thread_local objects keep what they have in mappings") {
    holds(programs::objects_over_mappings);
}
TEST_CASE("a thread with too many keys is told so") {
    fails(programs::keys_run_out, failure_kind::limit, "32 pthread keys");
}
TEST_CASE("a file in memory is mapped as it is") {
    holds(programs::file_in_memory, 2);
    holds(programs::file_in_memory_mapped_again, 1);
    holds(programs::file_in_memory_mapped_twice, 1);
    fails(programs::use_behind_the_end_of_a_file, failure_kind::wild_access, "beyond the end");
}
TEST_CASE("a file that is read through a mapping is") {
    holds(programs::file_of_the_system, 2);
    fails(programs::file_of_the_system_shared, failure_kind::unsupported);
}
TEST_CASE("files of earlier executions are not left open") { holds(programs::many_executions_with_files); }
