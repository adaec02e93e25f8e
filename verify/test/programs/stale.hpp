// SPDX-License-Identifier: Apache-2.0
#pragma once
// Loops that read a value, look at something else, and begin anew where the value was replaced meanwhile.

namespace programs {

void pushes_and_pops_in_loops();
void ends_with_a_value_of_its_last_look();
void ends_with_what_nobody_wrote();
void ends_with_a_plain_value();
void ends_with_plain_memory();
void ends_with_the_last_of_many_values();
void ends_with_a_local_that_another_writes();
void remembers_an_iteration();
void remembers_that_it_was_here();
void exchanges_another_word();
void ends_with_what_none_has_looked_at();
void ends_with_what_it_alone_looks_at();
void exchanges_what_a_store_replaced();
void fails_spuriously_on_what_was_replaced();
void ends_with_what_came_behind_what_it_acquired();
void sees_a_value_of_two_threads();
void races_in_an_iteration_of_an_old_value();
void looks_twice_beside_one_who_does();
void waits_for_who_has_seen_its_last_look();

void begins_anew_for_one_and_is_replaced_by_another();

} // namespace programs
