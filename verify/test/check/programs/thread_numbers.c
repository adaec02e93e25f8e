// SPDX-License-Identifier: Apache-2.0
// A lock that its owner may take again, known by the system's number of its thread.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_long owner;
static int inside;

static void* locks(void* unused) {
    const long self = NUMBER;
    long none = 0;
    assert(atomic_load(&owner) != self);
    while (!atomic_compare_exchange_strong(&owner, &none, self)) none = 0;
    ++inside;
    atomic_store(&owner, 0);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, locks, 0);
    pthread_create(&b, 0, locks, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(inside == 2);
}
