/* SPDX-License-Identifier: Apache-2.0 */
/* Message passing in C11; -DPUBLISH=memory_order_relaxed breaks it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#ifndef PUBLISH
#define PUBLISH memory_order_release
#endif

static int data;
static atomic_int ready;

static void* writer(void* unused) {
    (void)unused;
    data = 42;
    atomic_store_explicit(&ready, 1, PUBLISH);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    printf("printed by the program\n");
    if (atomic_load_explicit(&ready, memory_order_acquire)) assert(data == 42);
    pthread_join(thread, 0);
    return 0;
}
