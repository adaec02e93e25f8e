/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* LINEARIZABLE for structures in C: the checker makes the clients, and asks no specification (C11).
 *
 *     static linear_answer push(void* q, int64_t v) { return linear_success(queue_push(q, (int)v)); }
 *     static linear_answer pop(void* q, int64_t unused) {
 *         int v;
 *         return queue_pop(q, &v) ? linear_got(v) : linear_none();
 *     }
 *     LINEARIZABLE(my_queue, .make = make, .destroy = destroy, .threads = 2, .calls = 3,
 *                  .ops = {{"push", push, .fresh = true}, {"pop", pop, .result = linear_optional}})
 *
 * The name is one of C, and that of the scenario. What the fields mean: docs/how-to/is-it-linearizable.md. In C++ use
 * <ringproof/verify/linearizable.hpp>. */

#ifdef __cplusplus
#error "in C++, include <ringproof/verify/linearizable.hpp>"
#endif

#include <stdbool.h>
#include <stdint.h>

enum { linear_max_ops = 8, linear_max_values = 8, linear_max_models = 4 };

/* What a call returned. */
typedef struct {
    int64_t first, second;
} linear_answer;

/* A call without a result. */
static inline linear_answer linear_done(void) { return (linear_answer){1, 0}; }
/* A number. */
static inline linear_answer linear_number(int64_t value) { return (linear_answer){value, 0}; }
/* Whether it succeeded. */
static inline linear_answer linear_success(bool yes) { return (linear_answer){yes, 0}; }
/* It succeeded, and a number came with that; or it did not. */
static inline linear_answer linear_got(int64_t value) { return (linear_answer){1, value}; }
static inline linear_answer linear_none(void) { return (linear_answer){0, 0}; }

/* How counterexamples write what an operation returns. */
enum linear_result { linear_nothing, linear_value, linear_yes_or_no, linear_optional };

/* Numbers that an operation is called with: each makes another kind of call. */
typedef struct {
    unsigned n;
    int64_t at[linear_max_values];
} linear_numbers;
#define LINEAR_VALUES(...)                                                                                   \
    {                                                                                                        \
        sizeof((int64_t[]){__VA_ARGS__}) / sizeof(int64_t), { __VA_ARGS__ }                                  \
    }

typedef struct {
    const char* name; /* null: there are no more */
    linear_answer (*call)(void* object, int64_t argument);
    linear_numbers values; /* none: it takes no argument */
    bool fresh;            /* its argument is another one at each call: 1, 2, ... */
    bool may_fail;         /* it may return linear_none() while a call of another thread is under way */
    bool one_thread;       /* only one thread of a client calls it */
    bool same_thread;      /* the same, and it is the thread that calls the operation before this one */
    enum linear_result result;
} linear_op;

enum linear_model { linear_default_model, linear_rc11, linear_ra, linear_tso, linear_sc };
enum linear_promise {
    linear_linearizable,
    linear_sequentially_consistent,
    linear_lock_free,
    linear_obstruction_free,
    linear_wait_free
};

typedef struct {
    void* (*make)(void);
    void (*destroy)(void* object); /* null: nothing has to be done */
    unsigned threads, calls;       /* bounds of the clients; 0: 2 */
    int synchronisations;          /* 0: 1; for none say -1 */
    unsigned writes;               /* of linear_obstruction_free; 0: 8 */
    unsigned steps;                /* of linear_wait_free: the most that a call may take */
    enum linear_promise promise;
    enum linear_model models[linear_max_models]; /* none: rc11 */
    bool expect_refuted;
    const char*
        assumes; /* an entry of the ledger that is taken for granted, such as "spurious-failure"; null: none */
    linear_op ops[linear_max_ops];
} linear_structure;

#include <ringproof/verify/linear_client.h>

#define LINEARIZABLE(scenario, ...)                                                                          \
    static const linear_structure linear_structure_##scenario = {__VA_ARGS__};                               \
    static unsigned linear_number_##scenario;                                                                \
    static void linear_body_##scenario(void) {                                                               \
        linear_explore(&linear_structure_##scenario, linear_number_##scenario,                               \
                       ringproof_linear_any_client(linear_number_##scenario));                               \
    }                                                                                                        \
    __attribute__((constructor)) static void linear_add_##scenario(void) {                                   \
        linear_number_##scenario =                                                                           \
            ringproof_linear_add(&linear_structure_##scenario, #scenario, linear_explore,                    \
                                 linear_body_##scenario, __FILE__, __LINE__);                                \
    }
