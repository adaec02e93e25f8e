// SPDX-License-Identifier: Apache-2.0
#pragma once
// Two readers of a sequence lock and two writers, who hold a mutex.

namespace programs {

void reads_under_a_sequence_lock();
void reads_under_a_sequence_lock_without_fences();
void reads_under_a_sequence_lock_without_fences_of_readers();
void reads_under_a_sequence_lock_without_fences_of_writers();
void reads_under_a_sequence_lock_with_fences_that_do_not_acquire();
void reads_under_a_sequence_lock_of_equal_values();
void reads_under_a_sequence_lock_that_one_writer_forgets();

} // namespace programs
