// SPDX-License-Identifier: Apache-2.0
#pragma once
// Loops that store in each iteration, in memory that their thread has for itself, or that others look at.

namespace programs {

void tries_a_lock_with_a_node_of_its_own();
void tries_a_lock_with_two_words_of_its_node();
void tries_a_lock_beside_one_who_queues();
void tries_a_lock_once_before_it_loops();
void takes_a_lock_twice_with_one_node();
void stores_by_a_function_that_others_use();
void tries_a_lock_that_is_never_released();
void stores_what_another_overwrites();
void stores_what_another_overwrites_who_was_told_before();
void stores_what_another_looks_at();
void stores_one_value_and_then_another();

} // namespace programs
