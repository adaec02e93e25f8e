// SPDX-License-Identifier: Apache-2.0
#pragma once
// Threads that meet at pthread_barrier_wait().

namespace programs {

void barriers_hand_over_twice();
void barriers_hand_over_too_early();
void barriers_tell_the_first_that_it_was_last();
void barriers_tell_the_second_that_it_was_last();
void barriers_for_fewer_than_come();
void barriers_for_two_of_three();
void barriers_are_made_anew_for_fewer();

} // namespace programs
