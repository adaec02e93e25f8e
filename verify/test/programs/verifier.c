/* SPDX-License-Identifier: Apache-2.0 */
#include "c11.h"

#include <assert.h>
#include <genmc.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int x;

static void* writer(void* unused) {
    (void)unused;
    atomic_store_explicit(&x, 1, memory_order_release);
    return NULL;
}

void verifier_assume(void) {
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    __VERIFIER_assume(atomic_load_explicit(&x, memory_order_acquire) == 1);
    __VERIFIER_assert(x == 1);
    pthread_join(t, NULL);
}

void verifier_nondet(void) {
    const int a = __VERIFIER_nondet_int();
    const _Bool b = __VERIFIER_nondet_bool();
    __VERIFIER_assume(a >= 1);
    if (a == 2 && b) __VERIFIER_error();
}

void verifier_bool(void) {
    int sum = 0;
    for (int i = 0; i < 3; ++i) sum += __VERIFIER_nondet_bool();
    assert(sum >= 0 && sum <= 3);
}

static void* counter(void* unused) {
    __VERIFIER_final_write(atomic_fetch_add_explicit(&x, 1, memory_order_relaxed));
    __VERIFIER_optional(__VERIFIER_error());
    return unused;
}

void verifier_spawn(void) {
    const __VERIFIER_thread_t a = __VERIFIER_spawn(counter, NULL);
    const __VERIFIER_thread_t b = __VERIFIER_spawn_symmetric(counter, NULL, a);
    (void)__VERIFIER_join(a);
    __VERIFIER_join_symmetric(b);
    __VERIFIER_assert(__VERIFIER_confirming_read(x) == 2);
}
