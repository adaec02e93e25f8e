// SPDX-License-Identifier: Apache-2.0
#pragma once
// Loops that wait, and allocate in each round.

namespace programs {

// Whose rounds differ in addresses alone.
void waits_with_a_temporary();
void pushes_strings();
void sends_requests();
void copies_a_list();
void looks_through_a_vector();
void renews_what_it_keeps();
void exchanges_blocks_with_a_loop();

// With an error that has to be found. The first round is right in most of them.
void waits_with_a_temporary_for_ever();
void uses_the_block_of_the_last_round();
void uses_it_when_it_sees_something_else();
void uses_a_hidden_block_of_the_last_round();
void frees_the_block_of_the_last_round_again();
void shows_its_block();
void shows_its_block_and_takes_it_back();
void shows_its_block_by_an_atomic();
void loses_a_block_in_each_round();
void takes_a_new_block_for_the_last_one();
void keeps_a_number_in_its_block();
void gives_up_by_a_number_in_its_block();
void counts_as_far_as_the_heap_grows();

} // namespace programs
