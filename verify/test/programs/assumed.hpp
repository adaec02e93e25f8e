// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads that an assumption follows.

namespace programs {

void assumes_the_last_of_three();
void assumes_that_an_exchange_succeeds();
void assumes_with_two_looks();
void assumes_of_each_other();
void assumes_what_is_written_over();
void assumes_what_never_comes();
void fails_beside_an_assumption();
void races_before_an_assumption();
void races_before_an_assumption_of_old_values();
void races_in_an_assumption();

} // namespace programs
