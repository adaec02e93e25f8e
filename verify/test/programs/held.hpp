// SPDX-License-Identifier: Apache-2.0
#pragma once
// Locks, conditions and barriers that somebody holds, waits for, or has not got.

namespace programs {

void waits_with_a_recursive_mutex();
void timed_waits_in_a_loop();
void condition_destroyed_while_waited_on();
void rwlock_destroyed_while_held();
void spin_lock_of_another();
void try_lock_of_a_taken_mutex();
void reader_before_a_writer();
void once_by_two_that_read();
void barrier_that_hands_over();
void barrier_destroyed_twice();
void two_signals_wake_two();
void either_is_woken_first();
void futex_with_a_limit();

} // namespace programs
