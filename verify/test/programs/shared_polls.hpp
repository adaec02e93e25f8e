// SPDX-License-Identifier: Apache-2.0
#pragma once
// Polling with a share of a lock, or with a semaphore for a lock; std::condition_variable_any; tries that give up.

namespace programs {

// shared_polls.cpp
void polls_with_a_read_lock();
void polls_with_a_write_lock();
void polls_with_a_tried_read_lock();
void two_poll_with_read_locks();
void three_poll_with_read_locks();
void polls_with_a_read_lock_for_nothing();
void polls_with_a_read_lock_that_is_kept();
void polls_with_a_read_lock_what_is_put_without();
void polls_with_a_read_lock_while_another_tries();
void polls_with_a_semaphore();
void polls_with_a_binary_semaphore();
void polls_with_a_tried_semaphore();
void two_poll_behind_a_wide_semaphore();
void polls_with_a_semaphore_for_nothing();
void polls_with_a_semaphore_that_is_kept();
void polls_with_a_semaphore_that_it_keeps();
void polls_with_a_semaphore_what_is_put_without();
void polls_with_a_semaphore_while_another_tries();
void polls_with_a_semaphore_while_another_looks();
void lends_one_in_each_iteration();
void semaphore_in_a_loop_of_tries();
void semaphore_releases_several();
void semaphore_try_fails_beside_another();
void semaphore_published_too_early();

// waits_with_any.cpp
void any_waits_with_a_read_lock();
void any_two_wait_with_read_locks();
void any_waits_with_a_lock_of_its_own();
void any_is_notified_before();
void any_changes_without_the_lock();
void any_wait_without_a_loop();
void any_waits_with_a_time_out();
void any_waits_with_a_time_out_for_nothing();
void any_is_told_to_stop();
void any_is_destroyed_by_who_was_woken();

// timed.cpp
void time_has_passed_when_a_timed_lock_gives_up();
void timed_locks_until_a_limit();

} // namespace programs
