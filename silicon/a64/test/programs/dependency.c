/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int ready, other;
_Atomic(int*) published;

static void* send(void* nothing) {
    data = 42;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&published, &data, memory_order_relaxed);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
#ifdef CONTROL_WRITE
    /* Nothing is written behind the branch before it is decided: no value comes from itself. */
    if (atomic_load_explicit(&other, memory_order_relaxed) == 1) assert(atomic_load(&ready) == 1);
#endif
    return nothing;
}

int main(void) {
    pthread_t sender;
    pthread_create(&sender, NULL, send, NULL);
#if defined ADDRESS
    int* got = atomic_load_explicit(&published, memory_order_relaxed);
    if (got) assert(*got == 42);
#elif defined CONTROL
    if (atomic_load_explicit(&ready, memory_order_relaxed)) assert(*(volatile int*)&data == 42);
#elif defined CONTROL_WRITE
    if (atomic_load_explicit(&ready, memory_order_relaxed))
        atomic_store_explicit(&other, 1, memory_order_relaxed);
#else
    int before = atomic_load_explicit(&ready, memory_order_relaxed), after = *(volatile int*)&data;
    assert(!before || after == 42);
#endif
    pthread_join(sender, NULL);
    return 0;
}
