// SPDX-License-Identifier: Apache-2.0
#pragma once
// Handlers that come in between any two accesses of their thread.

namespace programs {

void handlers_of_one_level();         // holds: neither comes into the other
void handlers_of_two_levels();        // fails: the higher one comes in
void handler_attached_in_a_handler(); // fails: it comes in before the first access behind that
void handler_that_does_nothing();
void handler_between_plain_writes(); // fails: they race with it
void handler_data_after_a_relaxed_load();
void handler_data_after_an_acquire_load();

} // namespace programs
