// SPDX-License-Identifier: Apache-2.0
// Every protocol of one process, refusing and counting.

#include "ring_set.hpp"

using ringproof::refuse;

RINGPROOF_RING_SET("single, refuse", ringproof::single, refuse, "full", "empty", "reuse", "split", "discard")
RINGPROOF_RING_SET("single_batched, refuse", ringproof::single_batched<64>, refuse, "full", "empty", "reuse",
                   "split", "discard")
RINGPROOF_RING_SET("single_in_band, refuse", ringproof::single_in_band, refuse, "full", "empty", "reuse",
                   "split", "discard")
RINGPROOF_RING_SET("nested, refuse", ringproof::nested, refuse, "full", "empty", "reuse", "split", "discard")
RINGPROOF_RING_SET("shared, refuse", ringproof::shared, refuse, "full", "empty", "reuse", "split", "discard")
