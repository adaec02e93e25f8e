// SPDX-License-Identifier: Apache-2.0
#include "../programs/expect.hpp"
#include "../programs/programs.hpp"

using namespace ringproof::verify::test;
using ringproof::verify::assumption;
using ringproof::verify::failure_kind;
using ringproof::verify::memory_model;

namespace {
/// Refused, with both places.
void is_refused(void (*program)(), const std::string& words) {
    fails(program, failure_kind::mixed_size, words);
    const auto r = run(program);
    CHECK(r.error.site != 0);
    CHECK(r.error.other_site != 0);
    CHECK(r.error.site != r.error.other_site);
}
/// An assertion fails under each model, and in the execution again that is known by its steps and its pieces.
void is_wrong(void (*program)()) {
    for (const memory_model model :
         {memory_model::rc11, memory_model::sc, memory_model::tso, memory_model::ra}) {
        const auto r = run(program, model);
        CHECK(r.error.kind == failure_kind::assertion);
        CHECK_FALSE(r.raced.empty());
        ringproof::verify::exploration_options options;
        options.model = model;
        options.raced = r.raced;
        CHECK(replay(program, r.steps, options).error.message == r.error.message);
    }
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
TEST_CASE("accesses of 4 and 8 bytes at once are followed") {
    holds(programs::half_of_a_word_at_once, 2);
    holds(programs::straddles_two_words);
    CHECK(run(programs::straddles_two_words, memory_model::rc11).executions == 4);
    CHECK(run(programs::straddles_two_words, memory_model::tso).executions == 3);
}
TEST_CASE("an access across two others that is not aligned is refused by name") {
    is_refused(programs::word_across_two_words, "not aligned to its size");
}
TEST_CASE("half of a word hands over what all of it releases") {
    holds(programs::half_of_a_released_word, 2);
    CHECK(run(programs::half_of_a_relaxed_word).error.kind == failure_kind::data_race);
}
TEST_CASE("a lock whose word is taken as a whole is given back as a half of it") {
    holds(programs::lock_with_head_and_tail);
    CHECK(run(programs::lock_with_head_and_relaxed_tail).error.kind == failure_kind::data_race);
}
TEST_CASE("a lock whose word is taken as a whole is given back as a byte of it") {
    holds(programs::lock_given_back_as_a_byte);
    CHECK(run(programs::lock_given_back_as_a_relaxed_byte).error.kind == failure_kind::data_race);
}
TEST_CASE("a word is read whole as long as it is written whole") {
    holds(programs::words_are_not_torn);
    is_wrong(programs::words_in_halves_are_torn);
}
TEST_CASE("a read-modify-write of a word has nothing between that of its halves") {
    holds(programs::adds_to_halves_and_whole);
    is_wrong(programs::adds_to_halves_and_no_add_to_the_whole);
}
TEST_CASE("a structure that is atomic is read by its members as well") {
    holds(programs::structure_as_a_whole);
    is_wrong(programs::structure_in_halves);
}
TEST_CASE("what a failed compare-exchange has seen is there for volatile reads of the thread's own") {
    holds(programs::failed_exchange_is_seen_by_volatile_reads, 2);
}
