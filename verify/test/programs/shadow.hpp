// SPDX-License-Identifier: Apache-2.0
#pragma once
// Races that are found only where the checker remembers an access that a later one could seem to stand for.

namespace programs {

// Of a thread that is not ordered behind what main() has done, and that comes last: its first access is a load.
void atomic_write_after_a_plain_read();
void plain_read_after_an_atomic_write();
void write_read_by_another_before();
void write_read_again_by_its_own_thread();
void write_after_a_read_without_anything_in_between();
void bytes_beside_those_written_later();
void plain_write_after_an_atomic_read();
void plain_reads_beside_atomic_reads();
void neighbours_in_a_word();

void write_beside_a_thread_that_has_not_begun();
void write_beside_a_thread_that_goes_on();
void write_beside_a_thread_that_has_ended();

void half_written_memory();
void beyond_the_heap();
void two_sizes_that_only_read();
void two_writes_that_nobody_reads();
void memory_passed_on_relaxed();
void memory_passed_on_by_a_release();

} // namespace programs
