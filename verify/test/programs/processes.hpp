// SPDX-License-Identifier: Apache-2.0
#pragma once
// Programs that fork.

namespace programs {

void process_has_globals_of_its_own();
void process_has_locals_of_its_own();
void process_has_a_heap_of_its_own();
void process_has_atomics_of_its_own();
void process_keeps_thread_locals();
void process_keeps_pthread_keys();
void processes_share_a_mapping();
void message_between_processes();
void message_between_processes_relaxed();
void message_over_a_file_in_memory();
void race_between_processes();
void processes_take_a_lock();
void process_waits_for_another();
void process_waits_in_vain();
void process_fails();
void process_reads_the_null_pointer();
void process_ends_with_a_code();
void two_processes_beside_the_first();
void process_starts_a_thread();
void process_forks();
void process_exits_in_order();
void process_returns_from_main();
void threads_before_a_fork();
void private_mapping_before_a_fork();
void pipe_before_a_fork();
void process_unmaps();
void process_is_waited_for_in_another_way();
void process_maps_for_itself();

} // namespace programs
