// SPDX-License-Identifier: Apache-2.0
// Far more executions than anyone has time for: 12!, as the threads have arguments of their own.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void* count(void* unused) {
    atomic_exchange_explicit(&counter, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t threads[12];
    for (int i = 0; i < 12; ++i) pthread_create(&threads[i], 0, count, &threads[i]);
    for (int i = 0; i < 12; ++i) pthread_join(threads[i], 0);
    return 0;
}
