/* SPDX-License-Identifier: Apache-2.0 */
/* liburcu's rculfqueue, as its header is, on x86: any number of threads enqueue and dequeue, inside of read sections. A dequeued node,
 * and the queue's own dummies, which it gives to call_rcu, may be freed behind a grace period. liburcu's grace periods
 * ask the system for barriers of other threads; those here are of the kind that it calls "mb". */
#include "urcu_atomics.h"

#include <urcu/rculfqueue.h>

#include <ringproof/verify/linearizable.h>

#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { most_sections = 16 };

/* Read sections are numbered in the order in which they begin. One that begins behind the end of a grace period's count has seen what
 * that thread had done before it: both are updates of one variable. */
struct sections {
    atomic_uint begun;
    atomic_bool ended[most_sections];
};
static unsigned begin_section(struct sections* s) { return atomic_fetch_add(&s->begun, 1); }
static void end_section(struct sections* s, unsigned mine) {
    atomic_store_explicit(&s->ended[mine], true, memory_order_release);
}
static void wait_for_sections(struct sections* s) {
    const unsigned n = atomic_fetch_add(&s->begun, 0);
    for (unsigned i = 0; i < n; ++i)
        while (!atomic_load_explicit(&s->ended[i], memory_order_acquire)) sched_yield();
}

struct item {
    struct cds_lfq_node_rcu node; /* the first member */
    int64_t value;
};
struct queue {
    struct cds_lfq_queue_rcu q;
    struct sections readers;
};

/* What a call has given to call_rcu: all dummies before an item. */
enum { most_dummies = 4 };
static _Thread_local struct rcu_head* to_free[most_dummies];
static _Thread_local unsigned given;
static _Thread_local void (*free_it)(struct rcu_head*);
static void keep_for_ever(struct rcu_head* head, void (*callback)(struct rcu_head*)) {
    (void)head, (void)callback;
}
static void free_later(struct rcu_head* head, void (*callback)(struct rcu_head*)) {
    to_free[given++] = head, free_it = callback;
}

static void* make_with(void (*call_rcu)(struct rcu_head*, void (*)(struct rcu_head*))) {
    struct queue* const made = calloc(1, sizeof *made);
    cds_lfq_init_rcu(&made->q, call_rcu);
    return made;
}
static void* make_keeping(void) { return make_with(keep_for_ever); }
static void* make_freeing(void) { return make_with(free_later); }

static void put(struct queue* q, int64_t value) {
    struct item* const added = calloc(1, sizeof *added);
    added->value = value;
    cds_lfq_node_init_rcu(&added->node);
    cds_lfq_enqueue_rcu(&q->q, &added->node);
}

/* ---- Nothing is freed. */

static linear_answer enqueue(void* object, int64_t value) {
    put(object, value);
    return linear_done();
}
static linear_answer dequeue(void* object, int64_t unused) {
    struct cds_lfq_node_rcu* const node = cds_lfq_dequeue_rcu(&((struct queue*)object)->q);
    (void)unused;
    return node ? linear_got(((struct item*)node)->value) : linear_none();
}

/* ---- What is dequeued is freed behind a grace period. */

static linear_answer enqueue_in_section(void* object, int64_t value) {
    struct queue* const q = object;
    const unsigned mine = begin_section(&q->readers);
    put(q, value);
    end_section(&q->readers, mine);
    return linear_done();
}
static linear_answer dequeue_and_free(void* object, bool in_section) {
    struct queue* const q = object;
    const unsigned mine = in_section ? begin_section(&q->readers) : 0;
    struct cds_lfq_node_rcu* const node = cds_lfq_dequeue_rcu(&q->q);
    const linear_answer found = node ? linear_got(((struct item*)node)->value) : linear_none();
    if (in_section) end_section(&q->readers, mine);
    if (!node && given == 0) return found;
    wait_for_sections(&q->readers);
    while (given > 0) free_it(to_free[--given]);
    free(node);
    return found;
}
static linear_answer dequeue_in_section(void* object, int64_t unused) {
    (void)unused;
    return dequeue_and_free(object, true);
}
static linear_answer dequeue_outside(void* object, int64_t unused) {
    (void)unused;
    return dequeue_and_free(object, false);
}

LINEARIZABLE(liburcu_rculfqueue, .make = make_keeping, .models = {linear_tso, linear_sc},
             .ops = {{"enqueue", enqueue, .fresh = true}, {"dequeue", dequeue, .result = linear_optional}})
LINEARIZABLE(liburcu_rculfqueue_is_lock_free, .make = make_keeping, .models = {linear_tso},
             .promise = linear_lock_free,
             .ops = {{"enqueue", enqueue, .fresh = true}, {"dequeue", dequeue, .result = linear_optional}})
LINEARIZABLE(liburcu_rculfqueue_frees_behind_grace_periods, .make = make_freeing, .models = {linear_tso},
             .synchronisations = -1,
             .ops = {{"enqueue", enqueue_in_section, .fresh = true},
                     {"dequeue", dequeue_in_section, .result = linear_optional}})
LINEARIZABLE(liburcu_rculfqueue_dequeues_outside_of_read_sections, .make = make_freeing,
             .models = {linear_tso}, .synchronisations = -1, .expect_refuted = true,
             .ops = {{"enqueue", enqueue_in_section, .fresh = true},
                     {"dequeue", dequeue_outside, .result = linear_optional}})
