/* SPDX-License-Identifier: Apache-2.0 */
/* A structure in C, and the form of LINEARIZABLE for C: a stack of numbers whose nodes are never used twice. */

#include <ringproof/verify/linearizable.h>

#include <stdatomic.h>
#include <stdlib.h>

enum { nodes = 8 };

struct stack {
    _Atomic(int) top; /* a node, from 1; 0: none */
    _Atomic(int) used;
    int value[nodes + 1], below[nodes + 1];
};

static void stack_push(struct stack* s, int value) {
    const int node = atomic_fetch_add_explicit(&s->used, 1, memory_order_relaxed) + 1;
    s->value[node] = value;
    int top = atomic_load_explicit(&s->top, memory_order_relaxed);
    do s->below[node] = top;
    while (!atomic_compare_exchange_weak_explicit(&s->top, &top, node, memory_order_release,
                                                  memory_order_relaxed));
}

static bool stack_pop(struct stack* s, int* value) {
    int top = atomic_load_explicit(&s->top, memory_order_acquire);
    while (top != 0 && !atomic_compare_exchange_weak_explicit(&s->top, &top, s->below[top],
                                                              memory_order_acquire, memory_order_acquire)) {
    }
    if (top != 0) *value = s->value[top];
    return top != 0;
}

/* The broken twin: the top is read, and written later. */
static bool stack_pop_apart(struct stack* s, int* value) {
    const int top = atomic_load_explicit(&s->top, memory_order_acquire);
    if (top == 0) return false;
    atomic_store_explicit(&s->top, s->below[top], memory_order_release);
    *value = s->value[top];
    return true;
}

static void* make(void) { return calloc(1, sizeof(struct stack)); }

static linear_answer push(void* s, int64_t value) {
    stack_push(s, (int)value);
    return linear_done();
}
static linear_answer pop(void* s, int64_t unused) {
    (void)unused;
    int value = 0;
    return stack_pop(s, &value) ? linear_got(value) : linear_none();
}
static linear_answer pop_apart(void* s, int64_t unused) {
    (void)unused;
    int value = 0;
    return stack_pop_apart(s, &value) ? linear_got(value) : linear_none();
}

/* Clang does not tell a weak compare-exchange from a strong one; with gcc both outcomes are explored. */
#ifdef __clang__
#define ASSUMES "spurious-failure"
#else
#define ASSUMES 0
#endif

LINEARIZABLE(stack_in_c, .make = make, .destroy = free, .assumes = ASSUMES,
             .models = {linear_rc11, linear_sc},
             .ops = {{"push", push, .fresh = true}, {"pop", pop, .result = linear_optional}})
LINEARIZABLE(stack_in_c_is_lock_free, .make = make, .destroy = free, .promise = linear_lock_free,
             .assumes = ASSUMES,
             .ops = {{"push", push, .fresh = true}, {"pop", pop, .result = linear_optional}})
LINEARIZABLE(stack_in_c_mutant_a_pop_reads_and_writes_apart, .make = make, .destroy = free,
             .expect_refuted = true,
             .ops = {{"push", push, .fresh = true}, {"pop", pop_apart, .result = linear_optional}})
