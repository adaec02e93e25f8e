// SPDX-License-Identifier: Apache-2.0
#pragma once
// Races with what iterations of waiting loops access, of which executions without them are the same.

namespace programs {

void sees_behind_loop_unordered();
void sees_behind_loop_half_ordered();
void sees_behind_loop();
void races_in_two_loops_behind_looks();
void sees_what_is_written_before_loop();
void sees_what_is_told_before_loop();
void sees_what_is_read_before_loop();
void sees_local_behind_loop_unordered();
void sees_local_behind_loop();
void sees_local_told_behind_loop_unordered();
void sees_local_told_behind_loop();
void races_in_two_loops();
void races_in_alike_loops();
void sees_behind_alike_loop_unordered();
void sees_behind_alike_loop();
void writes_in_one_loop();
void frees_behind_loop_unordered();
void frees_behind_loop();
void writes_behind_poll_unlocked();
void writes_behind_poll_locked();

} // namespace programs
