// SPDX-License-Identifier: Apache-2.0
// What a thread's key holds is given to the key's destructor when it calls pthread_exit(), too.
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int destroyed;

static void destroy(void* value) { destroyed += *(int*)value; }

static void* ends(void* unused) {
    static int one = 1;
    pthread_setspecific(key, &one);
    pthread_exit(unused);
}

int main(void) {
    pthread_key_create(&key, destroy);
    pthread_t thread;
    pthread_create(&thread, 0, ends, 0);
    pthread_join(thread, 0);
    assert(destroyed == 1);
}
