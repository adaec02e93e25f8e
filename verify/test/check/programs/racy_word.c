// SPDX-License-Identifier: Apache-2.0
// A plain write races with an atomic read.
#include <assert.h>
#include <pthread.h>

#ifndef FORBIDDEN
#define FORBIDDEN 1
#endif

static int word;

static void* writes(void* unused) {
    word = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, writes, 0);
    const int seen = __atomic_load_n(&word, __ATOMIC_RELAXED);
    assert(seen != FORBIDDEN);
    pthread_join(thread, 0);
}
