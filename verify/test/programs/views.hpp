// SPDX-License-Identifier: Apache-2.0
#pragma once
// Programs that map a file in memory more than once.

namespace programs {

void one_atomic_at_two_addresses();
void exchanges_at_two_addresses();
void message_over_two_views();
void message_over_two_views_relaxed();
void races_over_two_views();
void locks_over_two_views();
void ring_mapped_twice();
void ring_mapped_twice_without_barrier();
void half_of_a_record_behind_the_wrap();
void parts_of_a_file();
void views_grow_with_their_file();
void use_of_a_view_before_its_file_grows();
void shrinks_while_mapped();
void shrinks_and_grows();
void one_view_is_unmapped();
void use_of_the_unmapped_view();
void view_is_unmapped_while_in_use();
void view_is_unmapped_when_done();
void view_is_unmapped_too_early();
void many_executions_over_two_views();
void other_view_is_unmapped_while_in_use();
void view_becomes_memory_of_its_own();
void view_or_memory_by_chance();
void library_writes_to_a_view();
void volatile_over_two_views();
void mixed_sizes_over_two_views();
void object_is_opened_twice();
void use_of_a_home();
void private_copy_of_a_view();
void clears_many_atomics();
void clears_many_atomics_in_use();

} // namespace programs
