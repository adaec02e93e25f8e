/* SPDX-License-Identifier: Apache-2.0 */
/* Store buffering in C11: fails under rc11 and tso, holds under sc. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int seen_by_one, seen_by_two;

static void* one(void* unused) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    seen_by_one = atomic_load_explicit(&y, memory_order_relaxed);
    return unused;
}

static void* two(void* unused) {
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    seen_by_two = atomic_load_explicit(&x, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(seen_by_one || seen_by_two);
    return 0;
}
