// SPDX-License-Identifier: Apache-2.0
#pragma once
// Programs whose child processes are killed.

#include <cstdint>
#include <vector>

namespace programs {

void kill_between_atomic_writes();
void kill_between_plain_writes();
void record_is_whole_in_spite_of_kill();
void kill_ends_an_endless_wait();
void kill_comes_some_time_later();
void kill_orders_nothing_before_it();
void kill_with_a_lock_held();
void kill_of_own_memory();
void kill_of_a_process_with_threads();
void kill_of_itself();
void kill_of_a_process_that_is_gone();
void kill_by_another_signal();
void child_may_be_killed();
void child_that_may_be_killed_waits_in_vain();
void child_is_polled_until_it_ends();
void state_of_a_process_is_read();
void two_processes_are_killed();

/// A child of generated accesses, and a parent that makes some at the same time.
struct access {
    enum class what : std::uint8_t { load, store, add, plain_write } kind;
    std::uint8_t location; ///< of three; plain ones are the child's
    std::uint8_t value;
    bool ordered; ///< acquire and release
};
struct killed_program {
    std::vector<access> child, parent;
    bool kill = false;    ///< kill() at any time
    bool may_die = false; ///< ringproof_may_be_killed()
    unsigned length = 0;  ///< the child makes so many of its accesses
};
extern killed_program generated;
/// Runs it, and leaves what the parent saw, and what is left in memory, in `generated_end`.
void run_generated();
extern std::uint64_t generated_end;

} // namespace programs
