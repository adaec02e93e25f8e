// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace programs {

// Words that threads update without looking.
void updates_of_four();
void updates_with_bits();
void updates_then_a_look();
void updates_that_are_looked_at();
void updates_that_are_used();
void updates_that_pick_a_function();
void updates_that_are_looked_at_if();
void updates_that_are_used_if();
void updates_that_acquire();
void updates_before_a_fence();
void updates_around_a_race();
void updates_between_stores();

// <latch> and <barrier>.
void latch_hands_over();
void latch_hands_over_too_early();
void latch_is_never_zero();
void latch_is_counted_below_zero();
void latch_is_tried();
void barrier_meets_twice();
void barrier_for_two_of_three();
void barrier_calls_a_function();
void barrier_is_left();
void barrier_is_split();
void barrier_is_not_waited_for();
void barrier_is_come_to_in_passing();

} // namespace programs
