// SPDX-License-Identifier: Apache-2.0
// Volatile objects are relaxed atomics, also where their values are handed to a function.
#include <pthread.h>
#include <stdlib.h>

static volatile int flag;
static volatile long* counter;

__attribute__((noinline)) static long sum(int a, long b) { return a + b; }

static void* sets(void* unused) {
    flag = 1;
    *counter = sum(flag, *counter);
    return unused;
}

int main(void) {
    counter = calloc(1, sizeof *counter);
    pthread_t other;
    pthread_create(&other, NULL, sets, NULL);
    const long seen = sum(flag, *counter);
    pthread_join(other, NULL);
    return seen > 2;
}
