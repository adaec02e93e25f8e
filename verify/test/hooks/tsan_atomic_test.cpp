// SPDX-License-Identifier: Apache-2.0
#include "../programs/expect.hpp"
#include "../programs/programs.hpp"

using namespace ringproof::verify::test;
using namespace ringproof::verify;

TEST_CASE("atomics of 1, 2, 4 and 8 bytes count, in two executions each") {
    holds(programs::atomic_bytes, 2);
    holds(programs::atomic_shorts, 2);
    holds(programs::atomic_ints, 2);
    holds(programs::atomic_longs, 2);
}
TEST_CASE("atomics of 16 bytes and of floating point add in loops") {
    // A compiler may leave what a failed round had on the stack, so that it is not seen to be one: 2 or 4.
    holds(programs::atomic_16_bytes);
    holds(programs::atomic_double);
    holds(programs::atomic_float);
}
TEST_CASE("an atomic pointer moves on") { holds(programs::atomic_pointer, 2); }
TEST_CASE("an atomic bool and an enum decide who comes first") { holds(programs::atomic_bool_and_enum, 2); }
TEST_CASE("bits of an atomic are set and cleared") { holds(programs::atomic_bits, 2); }
TEST_CASE("an atomic struct of two words is never torn, nor is an atomic_ref to one") {
    holds(programs::atomic_of_two_words, 2);
    holds(programs::atomic_ref_of_two_words, 2);
}
TEST_CASE("an atomic_ref makes a plain int atomic, for a time") { holds(programs::atomic_ref_of_int, 2); }
TEST_CASE("a lock made of atomic_flag excludes") { holds(programs::atomic_flag_lock, 2); }
TEST_CASE("a lock made of atomic_flag that takes it relaxed does not") {
    CHECK(run(programs::atomic_flag_lock_relaxed).error.kind == failure_kind::data_race);
}
TEST_CASE("an atomic of a size that takes a lock is refused by name") {
    fails(programs::atomic_of_three_bytes, failure_kind::unsupported, "an atomic of 3 bytes");
    fails(programs::atomic_of_four_words, failure_kind::unsupported, "an atomic of 32 bytes");
}
