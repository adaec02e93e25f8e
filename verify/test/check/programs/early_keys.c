// SPDX-License-Identifier: Apache-2.0
// A key from before main: main finds its value there, and may delete it in each execution.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_key_t key;
static int mine;
atomic_int turn;

__attribute__((constructor)) static void begin(void) {
    assert(pthread_key_create(&key, 0) == 0 && pthread_setspecific(key, &mine) == 0);
}

static void* other(void* unused) {
    assert(pthread_getspecific(key) == 0);
    atomic_store(&turn, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    assert(pthread_getspecific(key) == &mine);
    pthread_create(&thread, 0, other, 0);
    atomic_store(&turn, 2);
    pthread_join(thread, 0);
    assert(pthread_getspecific(key) == &mine && pthread_key_delete(key) == 0);
    assert(pthread_getspecific(key) == 0 && pthread_key_delete(key) != 0);
}
