// SPDX-License-Identifier: Apache-2.0
#pragma once
// The programs that the tests explore.

#include <thread>

namespace programs {

/// Runs each function as a thread of its own and waits for all of them.
template <class... Functions>
void together(Functions... functions) {
    std::thread running[] = {std::thread(functions)...};
    for (std::thread& t : running) t.join();
}

// condition.cpp
void handover();
void handover_without_lock();
void signal_before_wait();
void one_of_two_is_woken();
void all_of_two_are_woken();
void wrong_one_is_woken();
void right_one_is_woken_too();
void wait_without_a_loop();
void wait_without_mutex();
void timed_wait_ends();
void timed_wait_orders_nothing();
void condition_variable_any_handover();
void buffer_of_one_slot();

// floating.cpp
void rounding_turned_while_waiting(int& mode_at_end);
void rounding_turned_while_waiting_is_seen();
void flag_raised_while_waiting_is_seen();
void inexact_while_waiting_is_seen();
void floating_point_environments_are_apart();

// spurious.cpp
void weak_exchange_once();
void strong_exchange_once();
void weak_value_carried_on();
void strong_value_carried_on();
void weak_value_looked_at_again();
void strong_value_looked_at_again();
void weak_spin_lock();
void strong_spin_lock();
void two_attempts();
void failures_are_counted();
void failure_reads_what_is_written();
void failure_of_a_later_value();
void wait_in_a_loop();
void wait_in_a_loop_on_static_data();
void wait_before_the_notification();
void timed_wait_without_a_look();
void futex_without_a_look();
void futex_in_a_loop();
void atomic_wait_looks_again();

// unfair.cpp
void waits_for_a_flag();
void waits_for_a_flag_and_yields();
void waits_for_a_flag_and_yields_first();
void waits_for_two_flags();
void waits_for_two_flags_and_yields();
void waits_for_one_of_two_flags();
void waits_for_one_of_two_flags_and_yields();
void waits_with_a_fence();
void waits_by_compare_exchange();
void spins_on_a_test_and_set();
void spins_on_a_test_and_set_and_yields();
void spins_on_a_held_test_and_set();
void spins_on_a_try_lock();
void reads_an_old_value_again();
void reads_an_old_value_of_two_again();
void waits_for_who_waits_for_it();
void adds_by_compare_exchange();
void waits_by_library();

// reuse.cpp
void freed_and_allocated();
void freed_by_a_joined_thread();
void freed_before_another();
void freed_and_forgotten();
void another_size();
void reused_memory_is_not_initialised();
void stale_pointer_to_memory_in_use();
void stack_with_aba();
void stack_with_tags();

// mixed.cpp
void partial_write_is_seen();
void partial_write_races();
void word_becomes_halves();
void word_becomes_halves_too_early();
void copy_over_atomics();
void copy_over_atomics_races();
void half_of_a_word_at_once();
void straddles_two_words();
void failed_exchange_is_seen_by_volatile_reads();

// mutex.cpp
void recursive_mutex_counts();
void recursive_mutex_is_still_held();
void self_deadlock();
void lock_order_deadlock();
void errorcheck_mutex_reports();
void timed_mutex_both_ways();
void mutex_in_freed_memory();
void destroyed_mutex();
void destroyed_while_held();
void unlock_not_held();

// barriers.cpp
void barriers_hand_over_twice();
void barriers_hand_over_too_early();
void barriers_tell_the_first_that_it_was_last();
void barriers_tell_the_second_that_it_was_last();
void barriers_for_fewer_than_come();
void barriers_are_made_anew_for_fewer();

// sync.cpp
void readers_share();
void reader_writes();
void writers_exclude();
void rwlock_not_held();
void shared_mutex_publishes();
void barrier_orders_rounds();
void barrier_with_one_too_few();
void semaphore_publishes();
void semaphore_never_posted();
void spin_lock_excludes();
void call_once_initialises();
void call_once_throws_once();
void once_flag_without_once();

// storage.cpp
void thread_locals_are_apart();
void thread_locals_are_destroyed();
void thread_local_handed_over();
void thread_local_raced_for();
void thread_local_outlived();
void queue_lock_of_thread_locals();
void queue_lock_of_thread_locals_relaxed();
void statics_are_initialised_once();
void static_that_throws_is_tried_again();
void static_is_not_guarded_afterwards();
void exceptions_in_several_threads();
void unhandled_exception();
void errno_is_apart();
void keys_hold_values();
void shared_pointers_count();
void shared_pointer_itself_races();

// mapping.cpp
void mapped_memory_is_zero();
void mapped_memory_is_not_a_memory();
void unmapped_by_each_execution();
void use_after_munmap();
void atomic_use_after_munmap();
void unmapped_while_in_use();
void unmapped_when_done();
void unmapped_too_early();
void unmapped_twice();
void unmapped_in_part();
void use_of_the_unmapped_part();
void use_beyond_a_mapping();
void guard_page();
void write_to_a_read_only_page();
void protection_is_given_back();
void protected_while_in_use();
void read_while_protected_against_writes();
void used_before_it_is_allowed();
void mapped_elsewhere();
void mapped_and_handed_over();
void mappings_stay_in_place();
void grows_and_moves();
void use_of_the_old_place();
void thrown_away();
void thrown_away_while_in_use();
void mapped_over();
void mapped_where_nothing_is();
void executable_memory();
void shared_and_anonymous();
void a_large_reserve();
void too_large_a_reserve();
void touched_by_the_library();
void library_runs_into_a_guard_page();
void the_break_moves();
void the_break_races();
void use_above_the_break();
void mapped_by_number();
void allocates_by_fetch_add();
void allocates_by_load_and_store();
void objects_over_mappings();
void keys_run_out();
void file_in_memory();
void file_in_memory_mapped_twice();
void file_in_memory_mapped_again();
void use_behind_the_end_of_a_file();
void file_of_the_system();
void file_of_the_system_shared();
void many_executions_with_files();

// clock.cpp
void clocks_go_forward();
void a_deadline_passes();
void random_numbers_repeat();
void sleeping_loop_waits();

// wasted.cpp
void pushes_own_nodes();
void pushes_own_plain_nodes();
void adds_by_exchange();
void adds_and_counts_rounds();
void adds_and_gives_up();
void adds_by_turns();
void pushes_and_remembers();
void pushes_and_remembers_plainly();
void pushes_while_watched();
void pushes_without_order();
void fails_with_less_order();
void waits_by_two_reads_for_ever();

// waiting.cpp
void three_lock_by_exchange();
void lock_by_exchange_is_kept();
void races_while_it_exchanges();
void gives_up_exchanging();
void atomic_wait_sees();
void atomic_wait_sees_bytes();
void atomic_wait_relaxed();
void atomic_wait_without_notify();
void atomic_notify_before_store();
void atomic_notify_all_wakes_two();
void atomic_notify_one_wakes_one();
void failed_push_of_a_node();
void races_while_it_waits();
void reads_again_while_it_waits();
void gives_up_by_chance();
void library_gives_up();
int library_count(); ///< how often it was called; not instrumented
void atomic_flag_ping_pong();
void futex_mutex_excludes();
void futex_mutex_forgets_to_wake();
void latch_publishes();
void latch_never_done();
void barrier_rounds_of_two();
void counting_semaphore_limits();
void counting_semaphore_lets_two_in();
void binary_semaphore_never_released();
void jthread_stops();

// blocked_locks.cpp
void locks_four_threads_one_mutex();
void locks_four_threads_one_exchange();
void locks_exchange_without_release();
void locks_two_in_both_orders();
void locks_holder_waits_for_the_other();
void locks_mutex_after_a_store();
void locks_three_threads_test_and_compare();
void locks_either_of_two_flags();
void locks_taken_and_opened_by_others();

void dead_state_last_value_is_told();
void dead_state_first_value_is_told();
void dead_state_value_is_given_to_a_function();
void dead_state_function_is_replaced();
void dead_state_read_through_a_pointer();
void dead_state_expected_value_is_set_anew();

// restored.cpp
void polls_a_slot();
void polls_a_slot_on_anothers_stack();
void polls_and_counts_unseen();
void counters_start_three();
void counters_open_a_gate();
void counters_waited_for_without_acquiring();
void counters_with_a_look_before_the_wait();
void counters_with_a_free_before_the_wait();
void counters_with_an_atomic_copied_before_the_wait();
void counters_tell_the_first_that_it_was_last();
void counters_tell_the_second_that_it_was_last();
void counters_that_are_set();
void counters_and_a_gate_that_opens_early();
void adds_until_there_are_three();
void polls_a_slot_that_stays_empty();
void polls_by_two_who_find_nothing();
void polls_with_a_lock_of_its_own();
void polls_what_is_put_without_the_lock();
void polls_while_another_tries();
void writes_between_what_a_poll_wrote();
void sees_what_a_poll_wrote_before_it_ended();
void takes_two_locks_in_both_orders();
void takes_two_locks_in_both_orders_while_another_tries();

// take_back.cpp
extern int seen_by[3]; ///< what threads have seen
void takes_back_reader_and_writer();
void takes_back_without_acquire();
void takes_back_two_readers();
void takes_back_for_ever();
void takes_back_beside_one_who_tries();
void takes_back_watched();
void takes_back_and_remembers();
void takes_back_beside_a_store();
void takes_back_and_gives_up();
void takes_back_and_is_told();
void takes_back_too_little();

// errors.cpp
void uninitialised_new();
void uninitialised_malloc();
void initialised_heap();
void leaks();
void frees_all();
void cancels();
void volatile_flag_with_fences();
void volatile_flag_alone();
void volatile_store_buffering();
void volatile_counter_loses();

// atomics.cpp
void count_to_three();
void add_in_loops();
void atomic_bytes();
void atomic_shorts();
void atomic_ints();
void atomic_longs();
void atomic_16_bytes();
void atomic_double();
void atomic_float();
void atomic_pointer();
void atomic_bool_and_enum();
void atomic_bits();
void atomic_of_two_words();
void atomic_ref_of_two_words();
void atomic_ref_of_int();
void atomic_flag_lock();
void atomic_flag_lock_relaxed();
void atomic_of_three_bytes();
void atomic_of_four_words();

// memory.cpp
void use_after_free();
void atomic_use_after_return();
void use_of_an_ended_threads_stack();
void deep_stacks_in_use();
void use_just_after_free();
void atomic_use_after_free();
void atomic_use_just_after_free();
void freed_while_in_use();
void double_free();
void freed_by_two();
void null_read();
void null_atomic();
void wild_atomic();
void null_mutex();
void allocated_elsewhere();
void allocated_and_handed_over();
void allocations_stay_in_place();
void queue_lock_of_allocated_nodes();
void stack_of_allocated_nodes();
void stack_of_static_nodes();
void aligned_memory();
void memset_races();
void memcpy_reads_race();
void clang_sets_races();
void clang_copies_race();
void clang_moves_race();
void aborts();
void detached_threads_go_on();
void threads_have_ids();
void barrier_not_initialised();
void barrier_destroyed();
void barrier_initialised_twice();

void spins_then_parks();
void spins_then_parks_right();
void sleeps_then_gives_up();
void looks_at_many_places();
void tells_that_it_waited();
void backs_off();
void counts_without_end();
void counts_for_itself_alone();
void nine_read_bytes();
void seventeen_read_halves();
void hands_on_old_memory();

} // namespace programs
