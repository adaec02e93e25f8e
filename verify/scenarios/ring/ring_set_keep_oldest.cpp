// SPDX-License-Identifier: Apache-2.0
// Every protocol of one process, telling in band what was lost.

#include "ring_set.hpp"

using ringproof::keep_oldest;

RINGPROOF_RING_SET("single, keep_oldest", ringproof::single, keep_oldest, "full", "told", "empty", "reuse",
                   "split", "discard")
RINGPROOF_RING_SET("single_batched, keep_oldest", ringproof::single_batched<64>, keep_oldest, "full", "told",
                   "empty", "reuse", "split", "discard")
RINGPROOF_RING_SET("single_in_band, keep_oldest", ringproof::single_in_band, keep_oldest, "full", "told",
                   "empty", "reuse", "split", "discard")
RINGPROOF_RING_SET("nested, keep_oldest", ringproof::nested, keep_oldest, "full", "told", "empty", "reuse",
                   "split", "discard")
RINGPROOF_RING_SET("shared, keep_oldest", ringproof::shared, keep_oldest, "full", "told", "empty", "reuse",
                   "split", "discard")
