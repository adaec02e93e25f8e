// SPDX-License-Identifier: Apache-2.0
// Peterson's lock, taken twice by each of two threads: waits that read two variables.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int guarded;

static void* works(void* number) {
    const int me = (int)(long)number, other = 1 - me;
    for (int i = 0; i < 2; ++i) {
        atomic_store(&wants[me], 1);
        atomic_store(&turn, other);
        while (atomic_load(&wants[other]) && atomic_load(&turn) == other)
            ;
        guarded = me;
        assert(guarded == me);
        atomic_store(&wants[me], 0);
    }
    return 0;
}

int main(void) {
    pthread_t t[2];
    for (long i = 0; i < 2; ++i) pthread_create(&t[i], 0, works, (void*)i);
    for (int i = 0; i < 2; ++i) pthread_join(t[i], 0);
}
