// SPDX-License-Identifier: Apache-2.0
#include "../programs/mixed_expect.hpp"
#include "../programs/programs.hpp"

using namespace ringproof::verify;
using namespace ringproof::verify::test;

TEST_CASE("a lock whose word is taken as a whole is given back as a half of it") {
    holds(programs::lock_with_head_and_tail);
    CHECK(run(programs::lock_with_head_and_relaxed_tail).error.kind == failure_kind::data_race);
}
TEST_CASE("a lock whose word is taken as a whole is given back as a byte of it") {
    holds(programs::lock_given_back_as_a_byte);
    CHECK(run(programs::lock_given_back_as_a_relaxed_byte).error.kind == failure_kind::data_race);
}
TEST_CASE("a structure that is atomic is read by its members as well") {
    holds(programs::structure_as_a_whole);
    is_wrong(programs::structure_in_halves);
}
TEST_CASE("pieces of 16 bytes are read and exchanged at once") {
    holds(programs::tagged_pointer_of_two_words);
    is_wrong(programs::tagged_pointer_without_a_tag);
}
TEST_CASE("a weak exchange of mixed sizes does not fail spuriously, and the ledger says so") {
    const auto r = run(programs::weak_exchange_of_mixed_sizes);
    CHECK(r.error.message == "");
    CHECK(entered(r, assumption::spurious_failure) > 0);
    CHECK(entered(r, assumption::mixed_size) > 0);
}
TEST_CASE("an exchange in pieces acquires although another thread's read is revisited by it") {
    holds(programs::exchange_that_is_looked_at);
}
TEST_CASE("a word that threads sleep on is not accessed in mixed sizes") {
    const auto r = run(programs::sleep_on_half_of_a_word);
    CHECK(r.error.kind == failure_kind::unsupported);
    CHECK_THAT(r.error.message, Catch::Matchers::Contains("together with a futex"));
}
