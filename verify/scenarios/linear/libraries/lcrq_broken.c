/* SPDX-License-Identifier: Apache-2.0 */
/* LCRQ whose compare-exchange of a cell looks at the value alone: an item gets into a cell that a dequeue has passed. */
#define LCRQ_IGNORES_INDICES
/* LCRQ's names that are not static, a second time in one program. */
#define queue_init broken_queue_init
#define queue_register broken_queue_register
#define queue_free broken_queue_free
#define handle_free broken_handle_free
#define enqueue broken_enqueue
#define dequeue broken_dequeue
#include "lcrq.c"
