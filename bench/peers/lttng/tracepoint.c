/* SPDX-License-Identifier: Apache-2.0
 * The event's probe and its definition, once for the program. In C: what the macros make is no C++ that our warnings
 * would let pass. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "ringproof_tracepoint.h"

int ringproof_lttng_enabled(void) { return lttng_ust_tracepoint_enabled(ringproof_bench, record) != 0; }

/* The loop's body lies here, so that the tracepoint is inlined into it as in any program: `count` records, whose words
 * are consecutive numbers from `first` on. */
void ringproof_lttng_write(uint64_t first, unsigned count) {
    for (unsigned k = 0; k < count; ++k) {
        uint64_t words[8];
        for (unsigned i = 0; i < 8; ++i) words[i] = first + k + i;
        lttng_ust_tracepoint(ringproof_bench, record, words);
    }
}
