// SPDX-License-Identifier: Apache-2.0
#include "../programs/expect.hpp"
#include "../programs/rounds.hpp"

using namespace ringproof::verify;
using namespace ringproof::verify::test;

TEST_CASE("a plain look in the round of a loop that waits may race") {
    fails(programs::plain_look_while_waiting, failure_kind::data_race);
}
TEST_CASE("a plain look in the round of a loop that spins may race") {
    // A replay may come to the same race from its other side.
    CHECK(run(programs::plain_look_while_spinning).error.kind == failure_kind::data_race);
}
TEST_CASE("a round of a loop that draws a number by chance is not left out") {
    fails(programs::round_draws_a_number, failure_kind::assertion);
    fails(programs::spinning_draws_a_number, failure_kind::assertion);
}
TEST_CASE("a round of a loop that counts in memory is not left out") {
    fails(programs::round_counts_in_memory, failure_kind::assertion);
}
TEST_CASE("a round of a loop that saves an allocation is not left out") {
    fails(programs::round_saves_an_allocation, failure_kind::assertion);
}
TEST_CASE("a round of a loop that leaves a mark is not left out") {
    fails(programs::round_leaves_a_mark, failure_kind::assertion);
}
TEST_CASE("a round of a loop in which a library writes to memory is not left out") {
    fails(programs::spinning_prints, failure_kind::assertion);
    fails(programs::waiting_prints, failure_kind::assertion);
    fails(programs::waiting_before_prints, failure_kind::assertion);
    fails(programs::trying_again_prints, failure_kind::assertion);
    fails(programs::looking_again_prints, failure_kind::assertion);
}
TEST_CASE("a round of a loop that is stored as a count is not left out") {
    fails(programs::round_is_stored_as_a_count, failure_kind::assertion);
}
