// SPDX-License-Identifier: Apache-2.0
// Each thread has SIZE bytes of its own.
#include <assert.h>
#include <pthread.h>

static _Thread_local char own[SIZE];

void* work(void* unused) {
    assert(own[SIZE - 1] == 0);
    own[SIZE - 1] = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    work(0);
    pthread_join(thread, 0);
}
