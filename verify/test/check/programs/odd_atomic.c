// SPDX-License-Identifier: Apache-2.0
// An atomic object of SIZE bytes.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct {
    char bytes[SIZE];
} object;
static _Atomic object shared;

static void* stores(void* unused) {
    const object ones = {{1, 1, 1}};
    atomic_store(&shared, ones);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, stores, 0);
    const object seen = atomic_load(&shared);
    assert(seen.bytes[0] == seen.bytes[2]);
#ifdef BROKEN
    assert(seen.bytes[0] == 0);
#endif
    pthread_join(thread, 0);
}
