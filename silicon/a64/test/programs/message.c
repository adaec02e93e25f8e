/* SPDX-License-Identifier: Apache-2.0 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef RELEASE
#define RELEASE memory_order_release
#endif
#ifndef ACQUIRE
#define ACQUIRE memory_order_acquire
#endif

int data;
atomic_int ready;

static void* send(void* nothing) {
    data = 42;
    atomic_store_explicit(&ready, 1, RELEASE);
    return nothing;
}

int main(void) {
    pthread_t sender;
    pthread_create(&sender, NULL, send, NULL);
    if (atomic_load_explicit(&ready, ACQUIRE)) assert(data == 42);
    pthread_join(sender, NULL);
    return 0;
}
