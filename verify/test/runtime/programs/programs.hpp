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
void no_spurious_wakeups_needed();
void wait_without_mutex();
void timed_wait_ends();
void timed_wait_orders_nothing();
void condition_variable_any_handover();
void buffer_of_one_slot();

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

} // namespace programs
