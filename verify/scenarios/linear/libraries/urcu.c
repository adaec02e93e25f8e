/* SPDX-License-Identifier: Apache-2.0 */
/* liburcu's queue of one consumer's lock and its stacks, as their headers are, on x86. Nodes are never freed nor used twice: reading
 * sections and hazards of reuse are not what is asked. */

#include "urcu_atomics.h"

#include <urcu/lfstack.h>
#include <urcu/wfcqueue.h>

#include <ringproof/verify/linearizable.h>

#include <stdlib.h>

struct item {
    union {
        struct cds_wfcq_node queued;
        struct cds_lfs_node stacked;
    } in;
    int64_t value;
};

static struct item* item_of(int64_t value) {
    struct item* const made = calloc(1, sizeof *made);
    made->value = value;
    return made;
}

/* ---- wfcqueue: enqueues are wait-free, and a dequeue may meet one that is under way. */

struct queue {
    struct cds_wfcq_head head;
    struct cds_wfcq_tail tail;
};
static void* make_queue(void) {
    struct queue* const q = calloc(1, sizeof *q);
    cds_wfcq_init(&q->head, &q->tail);
    return q;
}
static linear_answer enqueue(void* object, int64_t value) {
    struct queue* const q = object;
    struct item* const added = item_of(value);
    cds_wfcq_node_init(&added->in.queued);
    cds_wfcq_enqueue(&q->head, &q->tail, &added->in.queued);
    return linear_done();
}
static linear_answer dequeue(void* object, int64_t unused) {
    struct queue* const q = object;
    struct cds_wfcq_node* const node = __cds_wfcq_dequeue_nonblocking(&q->head, &q->tail);
    (void)unused;
    if (!node || node == CDS_WFCQ_WOULDBLOCK) return linear_none();
    return linear_got(((struct item*)node)->value);
}

/* ---- lfstack */

static void* make_stack(void) {
    struct cds_lfs_stack* const s = calloc(1, sizeof *s);
    cds_lfs_init(s);
    return s;
}
static linear_answer push(void* object, int64_t value) {
    struct item* const added = item_of(value);
    cds_lfs_node_init(&added->in.stacked);
    cds_lfs_push((struct cds_lfs_stack*)object, &added->in.stacked);
    return linear_done();
}
static linear_answer pop(void* object, int64_t unused) {
    struct cds_lfs_node* const node = __cds_lfs_pop((struct cds_lfs_stack*)object);
    (void)unused;
    return node ? linear_got(((struct item*)node)->value) : linear_none();
}

#ifdef CONFIG_RCU_USE_ATOMIC_BUILTINS
enum { most_steps = 9 }; /* liburcu 0.15 has a fence of its own behind a store */
#else
enum { most_steps = 8 };
#endif

#define QUEUE_OPS                                                                                            \
    .ops = {{"enqueue", enqueue, .fresh = true},                                                             \
            {"dequeue", dequeue, .one_thread = true, .result = linear_optional}}
#define QUEUE_OPS_HINTS                                                                                      \
    .ops = {{"enqueue", enqueue, .fresh = true},                                                             \
            {"dequeue", dequeue, .one_thread = true, .may_fail = true, .result = linear_optional}}

LINEARIZABLE(liburcu_wfcqueue_may_say_empty, .make = make_queue, .models = {linear_tso, linear_sc},
             QUEUE_OPS_HINTS)
LINEARIZABLE(liburcu_wfcqueue_taken_for_linearizable, .make = make_queue, .models = {linear_tso, linear_sc},
             .expect_refuted = true, QUEUE_OPS)
LINEARIZABLE(liburcu_wfcqueue_is_wait_free, .make = make_queue, .models = {linear_tso},
             .promise = linear_wait_free, .steps = most_steps, QUEUE_OPS)
LINEARIZABLE(liburcu_lfstack, .make = make_stack, .models = {linear_tso, linear_sc},
             .ops = {{"push", push, .fresh = true}, {"pop", pop, .result = linear_optional}})
LINEARIZABLE(liburcu_lfstack_is_lock_free, .make = make_stack, .models = {linear_tso},
             .promise = linear_lock_free,
             .ops = {{"push", push, .fresh = true}, {"pop", pop, .result = linear_optional}})
