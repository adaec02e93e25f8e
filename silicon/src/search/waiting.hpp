// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which read is given a write next, and which reads can be put off: questions about threads that wait.

#include <ringproof/silicon/execution.hpp>

namespace ringproof::silicon {

/// The writes that a read can be given: not those that existed when it was put off, and none that its thread makes
/// later.
std::vector<event_id> candidates(const part_of_execution& part, event_id read);

/// The open read to be given a write next: one that a thread waits for, or if none waits, any. None: all have one.
std::optional<event_id> next_read(const part_of_execution& part);

/// Can another thread that waits make a write that this read does not come before?
bool may_put_off(const part_of_execution& part, event_id read);

/// False if a thread is said to be stuck, and memory has changed since: another write is behind the one it read.
bool may_stay_stuck(const part_of_execution& part);

/// False if a read that was put off cannot get a write any more.
bool can_end(const part_of_execution& part);

} // namespace ringproof::silicon
