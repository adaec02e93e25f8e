// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace programs {

void loop_of_timed_waits();
void loop_of_timed_waits_with_a_predicate();
void timed_wait_for_what_never_comes();
void loop_of_timed_waits_that_gives_up_at_a_time_out();
void loop_of_timed_waits_that_goes_on_at_a_time_out();
void loop_of_timed_waits_until_a_fixed_time();
void loop_of_timed_waits_on_an_atomic();
void two_pop_with_timed_waits();
void timed_waits_for_nothing();
void two_wait_for_nothing();
void timed_waits_for_an_atomic_that_nobody_sets();
void one_of_two_waits_for_ever();
void timed_waits_that_are_counted();
void timed_waits_with_a_limit_of_their_own();
void time_out_that_is_taken_for_a_change();
void loop_of_timed_tries();
void own_function_called_like_a_timed_wait();
void loop_of_tries_that_reads_what_races();

} // namespace programs
