// SPDX-License-Identifier: Apache-2.0
#include "../programs/allocating_expect.hpp"

using namespace ringproof::verify;
using namespace ringproof::verify::test;

TEST_CASE("a loop that renews its only block in each round ends") { ends(programs::renews_what_it_keeps, 6); }
TEST_CASE("a loop whose blocks change places ends") { ends(programs::exchanges_blocks_with_a_loop, 8); }

TEST_CASE("a block that each round loses is a leak") {
    exploration_options options = renaming(memory_model::rc11);
    options.limits.leaks = true;
    CHECK(explore(programs::loses_a_block_in_each_round, options).error.kind == failure_kind::leak);
}
TEST_CASE("rounds that differ in what their blocks hold are explored") {
    found_among_rounds(programs::keeps_a_number_in_its_block, failure_kind::assertion);
    found_among_rounds(programs::gives_up_by_a_number_in_its_block, failure_kind::assertion);
    found_among_rounds(programs::counts_as_far_as_the_heap_grows, failure_kind::assertion);
}
