/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef ORDER
#define ORDER memory_order_relaxed
#endif

atomic_int x, y;
int got[2];

static void* one(void* nothing) {
#ifdef STORES
    atomic_store_explicit(&x, 1, ORDER);
    got[0] = atomic_load_explicit(&y, ORDER);
#else
    got[0] = atomic_load_explicit(&y, ORDER);
    atomic_store_explicit(&x, 1, ORDER);
#endif
    return nothing;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, NULL, one, NULL);
#ifdef STORES
    atomic_store_explicit(&y, 1, ORDER);
    got[1] = atomic_load_explicit(&x, ORDER);
#else
    got[1] = atomic_load_explicit(&x, ORDER);
    atomic_store_explicit(&y, 1, ORDER);
#endif
    pthread_join(other, NULL);
#ifdef STORES
    assert(got[0] || got[1]);
#else
    assert(!got[0] || !got[1]);
#endif
    return 0;
}
