// SPDX-License-Identifier: Apache-2.0
#include "../programs/allocating_expect.hpp"

using namespace ringproof::verify;
using namespace ringproof::verify::test;

TEST_CASE("a loop that waits with a temporary on the heap ends") {
    ends(programs::waits_with_a_temporary, 6);
}
TEST_CASE("a loop that pushes a string anew in each round ends") { ends(programs::pushes_strings, 6); }
TEST_CASE("a loop that makes a request in each round ends") { ends(programs::sends_requests, 6); }
TEST_CASE("a loop that copies a list in each round ends") { ends(programs::copies_a_list, 6); }
TEST_CASE("a loop that gathers pointers in a vector ends") { ends(programs::looks_through_a_vector, 6); }
TEST_CASE("a loop that allocates and waits for ever is a livelock, and so is its replay") {
    found_among_rounds(programs::waits_with_a_temporary_for_ever, failure_kind::livelock);
}
TEST_CASE("a block of the round before is found when it is used") {
    found_among_rounds(programs::uses_the_block_of_the_last_round, failure_kind::use_after_free);
    found_among_rounds(programs::uses_it_when_it_sees_something_else, failure_kind::use_after_free);
    found_among_rounds(programs::uses_a_hidden_block_of_the_last_round, failure_kind::use_after_free);
}
TEST_CASE("a block of the round before is found when it is freed again") {
    found_among_rounds(programs::frees_the_block_of_the_last_round_again, failure_kind::double_free);
}
TEST_CASE("a block of which another thread knows is found when it is used") {
    found_among_rounds(programs::shows_its_block);
    found_among_rounds(programs::shows_its_block_and_takes_it_back);
    found_among_rounds(programs::shows_its_block_by_an_atomic);
}
TEST_CASE("a new block that has the address of the last one is found") {
    found_among_rounds(programs::takes_a_new_block_for_the_last_one, failure_kind::assertion);
}
