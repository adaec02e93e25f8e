// SPDX-License-Identifier: Apache-2.0
#pragma once
// Programs with data races, to go on behind them.

namespace programs {

struct copied_record {
    int first = 0, second = 0, third = 0, fourth = 0, fifth = 0;
};
extern copied_record racing_record, racing_copy;
extern int racing_seen[2];

/// Another thread writes the first two; what the copy got of them is in racing_seen.
void copies_a_racing_record();
/// A thread reads a local variable that another one writes: racing_seen has what was read, and what is left.
void races_for_a_local();
/// A thread reads plainly what another one stores to atomically: racing_seen has what was read.
void reads_an_atomic_plainly();
void frees_what_races();

} // namespace programs
