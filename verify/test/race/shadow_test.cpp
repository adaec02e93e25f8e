// SPDX-License-Identifier: Apache-2.0
#include "../programs/expect.hpp"
#include "../programs/shadow.hpp"

using namespace ringproof::verify::test;
using ringproof::verify::failure_kind;

TEST_CASE("an atomic write races with a plain read before it") {
    fails(programs::atomic_write_after_a_plain_read, failure_kind::data_race, "atomic write of 4 bytes");
}
TEST_CASE("a plain read races with an atomic write before it") {
    fails(programs::plain_read_after_an_atomic_write, failure_kind::data_race);
}
TEST_CASE("a plain write races with an atomic read before it, and a plain read does not") {
    fails(programs::plain_write_after_an_atomic_read, failure_kind::data_race, "atomic read");
    holds(programs::plain_reads_beside_atomic_reads);
}
TEST_CASE("a write races also when another thread has read it since") {
    fails(programs::write_read_by_another_before, failure_kind::data_race, "not ordered with a write");
}
TEST_CASE("a write races also when its own thread has read it since") {
    fails(programs::write_read_again_by_its_own_thread, failure_kind::data_race, "not ordered with a write");
}
TEST_CASE("a write right behind a read of its thread races") {
    fails(programs::write_after_a_read_without_anything_in_between, failure_kind::data_race,
          "not ordered with a write");
}
TEST_CASE("bytes race that were not written again, and neighbours do not") {
    fails(programs::bytes_beside_those_written_later, failure_kind::data_race);
    holds(programs::neighbours_in_a_word);
}
TEST_CASE("the half of memory that nothing was written to is found, also when all of it was read before") {
    fails(programs::half_written_memory, failure_kind::uninitialised, "4 bytes");
}
TEST_CASE("memory is not handed over without order") {
    const auto r = run(programs::memory_passed_on_relaxed);
    CHECK(r.error.kind == failure_kind::data_race);
    CHECK_THAT(r.error.message, Catch::Matchers::Contains("allocated"));
    holds(programs::memory_passed_on_by_a_release, 2);
}
TEST_CASE("memory beyond all that was allocated is nobody's") {
    fails(programs::beyond_the_heap, failure_kind::wild_access, "beyond the end of the heap");
}
TEST_CASE("two sizes at once are noticed also when both threads only read") {
    holds(programs::two_sizes_that_only_read, 1);
    CHECK(entered(run(programs::two_sizes_that_only_read), ringproof::verify::assumption::mixed_size) > 0);
}
#ifndef __clang__ // which leaves such writes out
TEST_CASE("two writes race although nobody reads what they write") {
    fails(programs::two_writes_that_nobody_reads, failure_kind::data_race);
}
#endif
TEST_CASE("one thread that was joined leaves the others to race with") {
    fails(programs::write_beside_a_thread_that_has_not_begun, failure_kind::data_race);
    fails(programs::write_beside_a_thread_that_goes_on, failure_kind::data_race);
    fails(programs::write_beside_a_thread_that_has_ended, failure_kind::data_race);
}
