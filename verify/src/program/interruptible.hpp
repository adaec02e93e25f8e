// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which handlers may interrupt a thread where it stands.

#include "thread.hpp"

namespace ringproof::verify {

struct attached_handler;

/// The `n`-th handler that may come in now, from 1, or null.
attached_handler* coming(const thread_state& t, unsigned n);
/// Whether any may come in just now: not into a handler that has done nothing yet, which is the same as just before it.
bool may_be_interrupted(const thread_state& t);
unsigned count_due(const thread_state& t);
/// How many may come in before the pending request of `t`.
inline unsigned handlers_due(const thread_state& t) { return t.handlers ? count_due(t) : 0; }

} // namespace ringproof::verify
