/* SPDX-License-Identifier: Apache-2.0 */
/* LCRQ (A. Morrison, Y. Afek, "Fast Concurrent Queues for x86 Processors", PPoPP 2013), as it is in C. Yang's benchmarks
 * (github.com/chaoran/fast-wait-free-queue), with rings of four cells. A dequeue that meets a cell which no enqueue has
 * filled yet asks it again up to 200,000 times. A search does not come to the end of these, so that it asks LCRQ_ROUNDS times
 * more here: CMakeLists.txt makes lcrq_rounds.c of lcrq.c. */
#include "lcrq_primitives.h"

#define LCRQ
#define LCRQ_RING_SIZE 4ull
#define LCRQ_ROUNDS 0
#include <align.h>
#define next volatile next /* what threads share is volatile in LCRQ, but for this pointer */
#include <lcrq.h>
#undef next
#include <lcrq_rounds.c>

#include <ringproof/verify/linearizable.h>

static void* make(void) {
    queue_t* const q = align_malloc(_Alignof(queue_t), sizeof *q);
    queue_init(q, 2);
    return q;
}
static linear_answer put(void* object, int64_t value) {
    enqueue(object, calloc(1, sizeof(handle_t)), (void*)value);
    return linear_done();
}
static linear_answer get(void* object, int64_t unused) {
    (void)unused;
    void* const found = dequeue(object, calloc(1, sizeof(handle_t)));
    return found == EMPTY ? linear_none() : linear_got((int64_t)found);
}

#ifdef LCRQ_IGNORES_INDICES
LINEARIZABLE(lcrq_that_exchanges_whatever_the_index_is, .make = make, .models = {linear_tso, linear_sc},
             .synchronisations = -1, .expect_refuted = true,
             .ops = {{"enqueue", put, .fresh = true}, {"dequeue", get, .result = linear_optional}})
#else
LINEARIZABLE(lcrq_of_one_call_for_each_thread, .make = make, .models = {linear_tso, linear_sc}, .calls = 1,
             .synchronisations = -1,
             .ops = {{"enqueue", put, .fresh = true}, {"dequeue", get, .result = linear_optional}})
#endif
