// SPDX-License-Identifier: Apache-2.0
// An atomic maximum, which clang has and does not instrument: the checker sees neither its read nor its write.
#include <assert.h>
#include <pthread.h>

unsigned highest;

void* raise_it(void* unused) {
    __sync_fetch_and_umax(&highest, 5);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, raise_it, 0);
    __sync_fetch_and_umin(&highest, 3);
    pthread_join(thread, 0);
    assert(highest == 5); // not if the minimum comes second
}
