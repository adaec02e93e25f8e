// SPDX-License-Identifier: Apache-2.0
#include "../programs/expect.hpp"
#include "../programs/programs.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

TEST_CASE("a read of freed memory is found") {
    fails(programs::use_after_free, failure_kind::use_after_free);
}
TEST_CASE("a local variable of a function that has returned is not used by another thread") {
    fails(programs::atomic_use_after_return, failure_kind::use_after_free, "has returned");
    fails(programs::use_of_an_ended_threads_stack, failure_kind::use_after_free, "has ended");
}
TEST_CASE("a volatile local variable may be written last, by a function that was called") {
    holds(programs::volatile_local_is_written_last, 2);
}
TEST_CASE("a local variable does not end with its function while another thread may use it") {
    for (const auto program :
         {programs::locals_end_while_in_use, programs::function_returns_while_its_local_is_in_use})
        fails(program, failure_kind::use_after_free, "use after return");
    holds(programs::locals_end_when_others_are_done, 1);
}
TEST_CASE("local variables are used as long as their functions run") { holds(programs::deep_stacks_in_use); }
TEST_CASE("an atomic access of freed memory is found") {
    fails(programs::atomic_use_after_free, failure_kind::use_after_free);
}
TEST_CASE("an atomic access of memory that was freed with nothing in between is found") {
    fails(programs::atomic_use_just_after_free, failure_kind::use_after_free);
}
TEST_CASE("memory that is freed while another thread writes it is found") {
    const failure_kind kind = run(programs::freed_while_in_use).error.kind;
    CHECK((kind == failure_kind::data_race || kind == failure_kind::use_after_free));
}
TEST_CASE("a double free is found") { fails(programs::double_free, failure_kind::double_free); }
TEST_CASE("a double free by two threads is found") {
    fails(programs::freed_by_two, failure_kind::double_free);
}
TEST_CASE("a null pointer is found, plain, atomic and as a mutex") {
    fails(programs::null_read, failure_kind::wild_access, "null pointer");
    fails(programs::null_atomic, failure_kind::wild_access, "null pointer");
    fails(programs::null_mutex, failure_kind::wild_access, "null pointer");
}
TEST_CASE("an atomic access of nothing is a wild access, not the checker's end") {
    fails(programs::wild_atomic, failure_kind::wild_access);
}
TEST_CASE("memory is not used before its allocation is known") {
    CHECK(run(programs::allocated_elsewhere).error.kind == failure_kind::data_race);
    holds(programs::allocated_and_handed_over, 2);
}
TEST_CASE("what a thread allocates is in the same place, whatever others have allocated before") {
    holds(programs::allocations_stay_in_place, 2);
    holds(programs::queue_lock_of_allocated_nodes, 24); // 3! orders, in each of which two look early or late
    holds(programs::stack_of_allocated_nodes, 8);
    // Each thread knows the address of a static node, so iterations that access one are explored.
    CHECK(run(programs::stack_of_static_nodes, memory_model::sc).executions == 8);
    CHECK(run(programs::stack_of_static_nodes).executions == 216);
}
TEST_CASE("aligned memory is aligned") { holds(programs::aligned_memory, 1); }
TEST_CASE("memset and memcpy race like any other access") {
    fails(programs::memset_races, failure_kind::data_race);
    fails(programs::memcpy_reads_race, failure_kind::data_race);
}
TEST_CASE("ranges race also by the names that later versions of clang give them") {
    fails(programs::clang_sets_races, failure_kind::data_race);
    fails(programs::clang_copies_race, failure_kind::data_race);
    fails(programs::clang_moves_race, failure_kind::data_race);
}
TEST_CASE("abort is an error where it is reached") { fails(programs::aborts, failure_kind::abort); }
TEST_CASE("detached threads go on") { holds(programs::detached_threads_go_on, 2); }
TEST_CASE("each thread has its own id") { holds(programs::threads_have_ids, 1); }
TEST_CASE("a barrier is initialised once, and used while it is") {
    fails(programs::barrier_not_initialised, failure_kind::lock_misuse, "not initialised");
    fails(programs::barrier_destroyed, failure_kind::lock_misuse, "no longer");
    fails(programs::barrier_initialised_twice, failure_kind::lock_misuse, "initialised again");
}
TEST_CASE("no access is forgotten, however many threads read the same eight bytes") {
    fails(programs::nine_read_bytes, failure_kind::data_race);
    fails(programs::seventeen_read_halves, failure_kind::data_race);
}
TEST_CASE("memory that is handed on without an order races, however much its maker allocated since") {
    const auto r = run(programs::hands_on_old_memory); // under sc the hand-over is an order
    CHECK(r.error.kind == failure_kind::data_race);
    CHECK_THAT(r.error.message, Catch::Matchers::Contains("allocated"));
}
