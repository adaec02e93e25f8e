// SPDX-License-Identifier: Apache-2.0
#pragma once
// Waiting loops of which something remains that a checker which leaves rounds out could forget: each of these fails.

namespace programs {

// A plain access in the round races with what ends the wait.
void plain_look_while_waiting();
void plain_look_while_spinning();

// Of a wait of up to two rounds: only where it took one does the program fail.
void round_draws_a_number();
void round_counts_in_memory();
void round_is_stored_as_a_count();
void round_saves_an_allocation();

// One round leaves what the next ones leave as well.
void round_leaves_a_mark();

// A test-and-set that failed once has drawn a number.
void spinning_draws_a_number();
// The same with a library that writes to memory out of the checker's sight.
void spinning_prints();
void waiting_prints();
void waiting_before_prints();
void trying_again_prints();
void looking_again_prints();

} // namespace programs
