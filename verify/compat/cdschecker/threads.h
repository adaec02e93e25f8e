/* SPDX-License-Identifier: Apache-2.0 */
/* <threads.h> of CDSChecker's test programs: a thread returns nothing, a join takes no result, and user_main() is
 * where the program begins. `ringproof check --dialect cdschecker FILE` finds it before C11's header. */
#pragma once
#pragma GCC system_header

#include <pthread.h>
#include <sched.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*thrd_start_t)(void*);

typedef struct {
    pthread_t priv;
} thrd_t;

#ifdef __cplusplus
}
#endif

/* The thread ends with whatever lies where a result would: nobody asks for it. Nothing comes between the function and
 * its argument, so that threads that are alike look alike. */
static inline int thrd_create(thrd_t* thread, thrd_start_t routine, void* argument) {
    return pthread_create(&thread->priv, 0, (void* (*)(void*))routine, argument);
}

static inline int thrd_join(thrd_t thread) { return pthread_join(thread.priv, 0); }

/* A round of a loop that waits. */
static inline void thrd_yield(void) { sched_yield(); }

static inline thrd_t thrd_current(void) {
    thrd_t own = {pthread_self()};
    return own;
}

/* The program's entry is what is explored. */
#define user_main main
