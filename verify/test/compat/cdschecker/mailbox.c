/* SPDX-License-Identifier: Apache-2.0 */
/* A letter of one word in CDSChecker's words; -DORDER=memory_order_relaxed breaks it. */
#include <stdatomic.h>
#include <stdio.h>
#include <threads.h>

#include "librace.h"
#include "model-assert.h"

#ifndef ORDER
#define ORDER memory_order_release
#endif

static atomic_int full;
static uint32_t letter;

static void send(void* unused) {
    store_32(&letter, 42);
    atomic_store_explicit(&full, 1, ORDER);
}

static void receive(void* unused) {
    while (!atomic_load_explicit(&full, memory_order_acquire)) thrd_yield();
    MODEL_ASSERT(load_32(&letter) == 42);
}

int user_main(int argc, char** argv) {
    thrd_t threads[2];
    atomic_init(&full, 0);
    thrd_create(&threads[0], (thrd_start_t)&send, NULL);
    thrd_create(&threads[1], (thrd_start_t)&receive, NULL);
    for (int i = 0; i < 2; ++i) thrd_join(threads[i]);
    return 0;
}
