// SPDX-License-Identifier: Apache-2.0
// Linux' old lock of readers and writers: who fails takes back what it subtracted.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { bias = 0x100000 };
static atomic_int count = bias;
static int data;

static void* reads(void* number) {
    int before = atomic_fetch_sub_explicit(&count, 1, memory_order_acquire);
    while (before <= 0) {
        atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
        while (atomic_load_explicit(&count, memory_order_relaxed) <= 0)
            ;
        before = atomic_fetch_sub_explicit(&count, 1, memory_order_acquire);
    }
    assert(data >= 0);
    atomic_fetch_add_explicit(&count, 1, memory_order_release);
    return number;
}

static void* writes(void* number) {
    int before = atomic_fetch_sub_explicit(&count, bias, memory_order_acquire);
    while (before != bias) {
        atomic_fetch_add_explicit(&count, bias, memory_order_relaxed);
        while (atomic_load_explicit(&count, memory_order_relaxed) != bias)
            ;
        before = atomic_fetch_sub_explicit(&count, bias, memory_order_acquire);
    }
    data = (int)(long)number;
    atomic_fetch_add_explicit(&count, bias, memory_order_release);
    return number;
}

int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], 0, reads, (void*)1);
    pthread_create(&t[1], 0, reads, (void*)2);
    pthread_create(&t[2], 0, writes, (void*)3);
    for (int i = 0; i < 3; ++i) pthread_join(t[i], 0);
}
