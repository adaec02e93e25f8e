// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <odp_ring_internal.h>
#include <pthread.h>

enum { mask = 3 };
static struct {
    ring_t ring;
    uint32_t data[mask + 1];
} memory;
static uint32_t first;

static void* enqueues_and_dequeues(void* unused) {
    ring_enq(&memory.ring, mask, 7);
    first = ring_deq(&memory.ring, mask);
    return unused;
}

int main(void) {
    ring_init(&memory.ring);
    pthread_t other;
    pthread_create(&other, 0, enqueues_and_dequeues, 0);
    const uint32_t second = ring_deq(&memory.ring, mask);
    pthread_join(other, 0);
    assert(first == RING_EMPTY || second == RING_EMPTY);
}
