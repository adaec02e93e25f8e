// SPDX-License-Identifier: Apache-2.0
#pragma once
// Stale reads: those that no interleaving of the threads has. A read is stale when a newer write than the one it reads from
// came before it: the write leads to the read by program order, by what is read from what, and by the orders of writes.
// In an execution that an interleaving has, no read is stale, whatever order the events are listed in.

#include "relations.hpp"

namespace ringproof::verify {

/// Notes in each stale read the newest such write. The relations of the example are known.
void note_stale_reads(counterexample& example, const std::vector<const recorded_event*>& raw);

} // namespace ringproof::verify
