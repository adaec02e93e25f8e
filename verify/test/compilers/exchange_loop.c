// SPDX-License-Identifier: Apache-2.0
// Increments by compare-exchange, of threads that are told apart.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void* increments(void* by) {
    int seen = atomic_load_explicit(&x, memory_order_relaxed);
    while (!atomic_compare_exchange_strong_explicit(&x, &seen, seen + (int)(long)by, memory_order_acq_rel,
                                                    memory_order_relaxed))
        ;
    return 0;
}

int main(void) {
    pthread_t t[3];
    for (long i = 0; i < 3; ++i) pthread_create(&t[i], 0, increments, (void*)(i + 1));
    for (int i = 0; i < 3; ++i) pthread_join(t[i], 0);
    assert(atomic_load(&x) == 6);
}
