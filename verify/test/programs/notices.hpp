// SPDX-License-Identifier: Apache-2.0
#pragma once
// Threads that notice, by a try, that another one had a lock in an iteration that left nothing; and what the other
// did next decides what they, or a third one, see.

namespace programs {

void polls_and_is_noticed_late();
void waits_and_is_noticed_late();
void waits_and_is_noticed_before_it_tells_twice();
void polls_and_is_noticed_by_two();
void polls_and_is_noticed_by_who_is_noticed();
void polls_and_is_noticed_by_who_looks_behind();
void polls_and_is_noticed_by_who_reads_behind();
void polls_and_is_noticed_by_an_exchange_and_a_look();
void takes_two_locks_and_tells_who_noticed();

} // namespace programs
