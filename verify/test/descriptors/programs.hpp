// SPDX-License-Identifier: Apache-2.0
#pragma once
// Programs whose threads sleep in system calls.

namespace programs {

// eventfd.cpp
void event_publishes();
void event_write_waits_for_room();
void event_orders_both_ways();
void events_order_nothing_between_them();
void failed_read_takes_the_lock();
void failed_reads_are_in_one_order();
void event_counts();
void event_as_semaphore();
void event_full();
void event_never_written();
void event_read_until_it_succeeds();
void event_read_again_at_once();
void event_used_after_close();
void event_closed_in_a_wait();
void event_of_wrong_size();
void flag_and_event();
void flag_and_event_relaxed();

// pipe.cpp
void pipe_publishes();
void pipe_keeps_order_and_writes_whole();
void pipe_ends_with_its_writer();
void pipe_without_a_reader();
void pipe_without_a_reader_ignored();
void pipe_full();
void pipe_never_read();
void pipe_long_write();
void pipe_long_write_without_waiting();
void pipe_set_non_blocking();
void pipe_wrong_end();

// poll.cpp
void poll_publishes();
void poll_of_zero_orders_nothing();
void poll_again_and_again();
void poll_of_two();
void poll_of_two_never_written();
void poll_times_out_or_not();
void poll_looks_again_after_a_time_out();
void poll_sees_the_other_end_close();
void select_of_two();

// epoll.cpp
void epoll_publishes();
void epoll_level();
void epoll_edge_reads_once();
void epoll_edge_reads_all();
void epoll_edge_meets_what_came_first();
void epoll_one_shot();
void epoll_one_shot_armed_again();
void epoll_asks_for_something_else();
void epoll_two_files_in_any_order();
void epoll_two_waiters_one_event();
void epoll_file_removed();
void epoll_file_closed();
void epoll_interrupted();
void epoll_interrupted_and_tried_again();
void epoll_times_out();
void epoll_sees_what_nothing_orders();
void epoll_goes_round_until_the_flag_is_seen();
void epoll_exclusive();
void epoll_raw();

// timer.cpp
void timer_publishes();
void timer_never_set();
void timer_disarmed();
void timer_read_by_two();
void timer_expires_again();
void timer_looked_at();
void timer_looked_at_until_it_expires();
void timer_polled();
void timer_polled_once();
void timer_or_event();
void timer_beside_a_silent_event();
void silent_timer_and_event();
void epoll_timer_or_event();
void epoll_timer_beside_a_silent_event();
void epoll_silent_timer_and_event();
void epoll_timer_edge();
void epoll_timer_edge_set_again();
void epoll_timer_edge_periodic();
void timer_asked_what_remains();
void timer_is_not_written();

// signals.cpp
void signal_publishes();
void signal_never_sent();
void signal_of_another_set();
void signals_come_together();
void signals_of_two_kinds();
void signal_looked_at();
void signal_polled();
void signal_in_epoll();
void signal_not_blocked();
void signal_unblocked_while_pending();
void signal_unblocked_by_a_thread();
void masks_are_inherited();
void signal_waited_for();
void signal_waited_for_in_vain();
void signal_waited_for_a_while();
void signal_raised();
void signals_changed();

} // namespace programs
