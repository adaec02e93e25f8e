// SPDX-License-Identifier: Apache-2.0
#pragma once
// Loops in assembly, behind which something is taken for a number that it is not: nothing that they saw is dead.

namespace programs {

#if defined(__x86_64__)
void dead_numbers_call_returns();
void dead_numbers_register_is_written();
void dead_numbers_local_is_written();
void dead_numbers_byte_of_a_local_is_written();
void dead_numbers_local_is_known_to_others();
void dead_numbers_arithmetic_sets_flags();
void dead_numbers_number_is_negative();
void dead_numbers_register_is_copied();
void dead_numbers_local_is_copied();
void dead_numbers_flag_decides();
void dead_numbers_flag_is_kept();
void dead_numbers_flag_chooses();
void dead_numbers_argument_of_a_library();
void dead_numbers_byte_is_written();
void dead_numbers_numbers_are_equal();
void dead_numbers_library_writes_a_local();
void dead_numbers_library_is_given_a_local_on_the_stack();
void dead_numbers_exchange_writes_what_it_saw();
void dead_numbers_address_is_lost();
#endif

} // namespace programs
