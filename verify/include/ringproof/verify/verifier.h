/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The functions that test programs of other model checkers call, in C and C++. `ringproof check` finds this
 * header also as <genmc.h> and <dat3m.h>, the names that such programs include. */

#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Only executions in which `condition` holds go on; the others count as blocked. */
void __VERIFIER_assume(int condition);

/* The condition must hold whenever this is reached. */
void __VERIFIER_assert(int condition);

/* Must not be reached. */
void __VERIFIER_error(void);
void reach_error(void);

/* A number that nothing is known of. Exploring every int is out of reach: each of 0, 1 and 2 is explored, and
 * the verdict is at best inconclusive, unless the environment variable RINGPROOF_NONDET_BOUND (2 to 1024) says
 * that the numbers below it are all that matter. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);

/* Either value: both are explored. */
#ifdef __cplusplus
bool __VERIFIER_nondet_bool(void);
#else
_Bool __VERIFIER_nondet_bool(void);
#endif

/* What other checkers use to speed up loops; here they mean nothing, as loops that wait are recognised. */
void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(int condition);
void __VERIFIER_loop_begin(void);
void __VERIFIER_loop_bound(int rounds);

/* Threads. That two of them run the same, which is what "symmetric" promises, is not made use of. */
typedef pthread_t __VERIFIER_thread_t;

static inline __VERIFIER_thread_t __VERIFIER_spawn(void* (*routine)(void*), void* argument) {
    pthread_t created;
    if (pthread_create(&created, 0, routine, argument) != 0) __VERIFIER_error();
    return created;
}
static inline __VERIFIER_thread_t __VERIFIER_spawn_symmetric(void* (*routine)(void*), void* argument,
                                                             __VERIFIER_thread_t like) {
    (void)like;
    return __VERIFIER_spawn(routine, argument);
}
static inline void* __VERIFIER_join(__VERIFIER_thread_t thread) {
    void* result = 0;
    if (pthread_join(thread, &result) != 0) __VERIFIER_error();
    return result;
}
static inline void __VERIFIER_join_symmetric(__VERIFIER_thread_t thread) { (void)__VERIFIER_join(thread); }

#ifdef __cplusplus
}
#endif

/* What other checkers are told of an access to save executions: here it is the access, no more. */
#define __VERIFIER_local_write(statement)                                                                    \
    do {                                                                                                     \
        statement;                                                                                           \
    } while (0)
#define __VERIFIER_final_write(statement)                                                                    \
    do {                                                                                                     \
        statement;                                                                                           \
    } while (0)
#define __VERIFIER_helped_CAS(statement)                                                                     \
    do {                                                                                                     \
        statement;                                                                                           \
    } while (0)
#define __VERIFIER_helping_CAS(statement)                                                                    \
    do {                                                                                                     \
        statement;                                                                                           \
    } while (0)
#define __VERIFIER_speculative_read(access) (access)
#define __VERIFIER_confirming_read(access) (access)
#define __VERIFIER_confirming_CAS(access) (access)
#define __VERIFIER_final_CAS(access) (access)
/* No complete execution has it. */
#define __VERIFIER_optional(statement)                                                                       \
    do {                                                                                                     \
    } while (0)
