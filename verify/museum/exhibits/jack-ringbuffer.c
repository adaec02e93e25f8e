// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <jack/ringbuffer.h>
#include <pthread.h>

static jack_ringbuffer_t* ring;

static void* writes(void* unused) {
    jack_ringbuffer_write(ring, "x", 1);
    return unused;
}

int main(void) {
    ring = jack_ringbuffer_create(2);
    pthread_t writer;
    pthread_create(&writer, 0, writes, 0);
    char byte;
    if (jack_ringbuffer_read(ring, &byte, 1) == 1) assert(byte == 'x');
    pthread_join(writer, 0);
    jack_ringbuffer_free(ring);
}
