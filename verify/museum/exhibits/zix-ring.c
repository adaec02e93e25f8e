// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <zix/ring.h>

static ZixRing* ring;

static void* writes(void* unused) {
    zix_ring_write(ring, "x", 1);
    return unused;
}

int main(void) {
    ring = zix_ring_new(0, 2);
    pthread_t writer;
    pthread_create(&writer, 0, writes, 0);
    char byte;
    if (zix_ring_read(ring, &byte, 1) == 1) assert(byte == 'x');
    pthread_join(writer, 0);
    zix_ring_free(ring);
}
