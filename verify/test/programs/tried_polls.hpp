// SPDX-License-Identifier: Apache-2.0
#pragma once
// Polling by tries: an iteration looks if the lock is free, and comes back if it is not.

namespace programs {

void polls_by_tries();
void polls_by_timed_tries();
void two_poll_by_tries();
void polls_by_exchanges();
void polls_behind_by_tries();
void polls_behind_by_exchanges();
void polls_with_a_lock_of_exchanges();
void polls_with_a_mutex_taken_twice();
void two_poll_where_it_looks_free();
void two_poll_where_it_looks_free_by_exchanges();
void two_poll_for_nothing_where_it_looks_free();
void takes_where_it_looks_free_what_was_polled();
void counts_tries_of_what_was_polled();
void polls_where_it_looks_free_while_another_looks();
void polls_by_tries_for_nothing();
void polls_by_exchanges_for_nothing();
void polls_by_tries_and_looks_anyway();
void polls_by_exchanges_and_looks_anyway();
void polls_by_tries_while_another_tries();
void polls_by_exchanges_while_another_looks();

} // namespace programs
