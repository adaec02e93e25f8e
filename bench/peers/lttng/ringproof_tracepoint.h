/* SPDX-License-Identifier: Apache-2.0
 * One event with 64 bytes of payload, in the form that LTTng's header wants: it includes this file again by itself (by a name that none of its own has). */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER ringproof_bench
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./ringproof_tracepoint.h"

#if !defined(RINGPROOF_LTTNG_TRACEPOINT_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define RINGPROOF_LTTNG_TRACEPOINT_H
#include <lttng/tracepoint.h>
#include <stdint.h>
LTTNG_UST_TRACEPOINT_EVENT(ringproof_bench, record, LTTNG_UST_TP_ARGS(const uint64_t*, words),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_array(uint64_t, words, words, 8)))
#endif
#include <lttng/tracepoint-event.h>
