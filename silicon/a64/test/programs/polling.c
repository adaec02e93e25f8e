/* SPDX-License-Identifier: Apache-2.0 */
/* An MCS lock's way to wait: the thread writes a flag of its own, hands out its address, and polls it without an order. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef ACQUIRE
#define ACQUIRE memory_order_acquire
#endif

int data;
_Atomic(atomic_int*) waits;

static void* answer(void* nothing) {
    atomic_int* who;
    while (!(who = atomic_load_explicit(&waits, memory_order_acquire))) {
    }
    data = 42;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(who, 0, memory_order_relaxed);
    return nothing;
}

int main(void) {
    pthread_t other;
    atomic_int waiting;
    pthread_create(&other, NULL, answer, NULL);
    atomic_store_explicit(&waiting, 1, memory_order_relaxed);
    atomic_store_explicit(&waits, &waiting, memory_order_release);
    while (atomic_load_explicit(&waiting, memory_order_relaxed)) {
    }
    atomic_thread_fence(ACQUIRE);
    assert(data == 42);
    pthread_join(other, NULL);
    return 0;
}
