// SPDX-License-Identifier: Apache-2.0
// One thread frees what another reads.
#include <pthread.h>
#include <stdlib.h>

static int *shared, seen;

static void* reads(void* unused) {
    seen = *shared;
    return unused;
}

int main(void) {
    shared = malloc(sizeof *shared);
    *shared = 1;
    pthread_t thread;
    pthread_create(&thread, 0, reads, 0);
    free(shared);
    pthread_join(thread, 0);
}
