// SPDX-License-Identifier: Apache-2.0
// A futex: -DCOUNTS looks at how many threads it has woken, BITS is what it waits for.
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef BITS
#define BITS FUTEX_BITSET_MATCH_ANY
#endif

static atomic_int word;

static void* waits(void* unused) {
    while (atomic_load(&word) == 0) syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 0, 0, 0, BITS);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, waits, 0);
    atomic_store(&word, 1);
#ifdef COUNTS
    const long woken = syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0);
    assert(woken == 0);
#else
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0);
#endif
    pthread_join(thread, 0);
}
