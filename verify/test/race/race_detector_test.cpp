// SPDX-License-Identifier: Apache-2.0
#include "../programs/expect.hpp"
#include "../programs/programs.hpp"

using namespace ringproof::verify::test;
using ringproof::verify::assumption;
using ringproof::verify::failure_kind;

namespace {
/// Refused, with both places.
void is_refused(void (*program)(), const std::string& words) {
    fails(program, failure_kind::mixed_size, words);
    const auto r = run(program);
    CHECK(r.error.site != 0);
    CHECK(r.error.other_site != 0);
    CHECK(r.error.site != r.error.other_site);
}
} // namespace

TEST_CASE("a plain write of a part of an atomic word is the word's latest value") {
    holds(programs::partial_write_is_seen, 2);
}
TEST_CASE("a plain write of a part of an atomic word races like any other") {
    const auto r = run(programs::partial_write_races);
    CHECK(r.error.kind == failure_kind::data_race);
}
TEST_CASE("a word is used as two halves once all its accesses are over") {
    holds(programs::word_becomes_halves, 5);
}
TEST_CASE("a word that may still be in use as a whole is used as two halves as well") {
    const auto r = run(programs::word_becomes_halves_too_early);
    CHECK(r.error.kind == failure_kind::assertion);
    CHECK(entered(r, assumption::mixed_size) > 0);
}
TEST_CASE("memcpy over a struct of atomics writes each of them") { holds(programs::copy_over_atomics, 2); }
TEST_CASE("memcpy over a struct of atomics races like any other write") {
    const auto r = run(programs::copy_over_atomics_races);
    CHECK(r.error.kind == failure_kind::data_race);
}
TEST_CASE("an access across two others that is not aligned is refused by name") {
    is_refused(programs::word_across_two_words, "not aligned to its size");
}
TEST_CASE("what a failed compare-exchange has seen is there for volatile reads of the thread's own") {
    holds(programs::failed_exchange_is_seen_by_volatile_reads, 2);
}
