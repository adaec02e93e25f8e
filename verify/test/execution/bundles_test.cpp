// SPDX-License-Identifier: Apache-2.0
#include "../programs/mixed_expect.hpp"
#include "../programs/programs.hpp"

using namespace ringproof::verify;
using namespace ringproof::verify::test;

TEST_CASE("accesses of 4 and 8 bytes at once are followed") {
    holds(programs::half_of_a_word_at_once, 2);
    holds(programs::straddles_two_words);
    CHECK(run(programs::straddles_two_words, memory_model::rc11).executions == 4);
    CHECK(run(programs::straddles_two_words, memory_model::tso).executions == 3);
}
TEST_CASE("half of a word hands over what all of it releases") {
    holds(programs::half_of_a_released_word, 2);
    CHECK(run(programs::half_of_a_relaxed_word).error.kind == failure_kind::data_race);
}
TEST_CASE("a word is read whole as long as it is written whole") {
    holds(programs::words_are_not_torn);
    is_wrong(programs::words_in_halves_are_torn);
}
TEST_CASE("a read-modify-write of a word has nothing between that of its halves") {
    holds(programs::adds_to_halves_and_whole);
    is_wrong(programs::adds_to_halves_and_no_add_to_the_whole);
}
TEST_CASE("two readers see halves written by two threads in two orders, but not under an order of all") {
    CHECK(run(programs::halves_in_two_orders, memory_model::rc11).error.kind == failure_kind::assertion);
    for (const memory_model model : {memory_model::sc, memory_model::tso})
        CHECK(run(programs::halves_in_two_orders, model).error.message == "");
}
TEST_CASE(
    "a word is read from the own store of a half and memory, before others see that store, under tso alone") {
    CHECK(run(programs::half_from_the_store_buffer, memory_model::tso).error.kind == failure_kind::assertion);
    CHECK(run(programs::half_from_the_store_buffer, memory_model::sc).error.message == "");
}
