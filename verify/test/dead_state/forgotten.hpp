// SPDX-License-Identifier: Apache-2.0
#pragma once
// Programs for forgotten_test.cpp. Those that are called not_… fail, as they read a pointer again.

namespace forgotten {

void not_yet();
void not_as_an_argument();
void not_by_a_function();
void not_by_counting_down();
void not_through_another_base();
void not_through_a_variable();
void not_through_a_local();
void not_behind_a_throw();
void not_behind_a_throw_by_the_library();
void not_without_instrumentation();
void by_a_vector();

} // namespace forgotten
