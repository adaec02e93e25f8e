// SPDX-License-Identifier: Apache-2.0
// The ring of record_ring.c without waiting, in verify/scenarios/ring/ring_set.hpp: what does not fit is lost and counted,
// and at rest every record is accounted for.
#include "barriers.h"

#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { capacity = 64, size = 32, records = 6, words = size / 8, discarded = 2 };
#define START ((uint64_t)0 - 24)

static uint64_t area[capacity / 8];
static position head = START, tail = START;
static unsigned accepted, refused; ///< read when the producer has ended

static void* produce(void* nothing) {
    uint64_t written = START, known_tail = START;
    for (uint64_t i = 1; i <= records; ++i) {
        if (capacity - (written - known_tail) < size) known_tail = load_tail(&tail);
        if (capacity - (written - known_tail) < size) {
            ++refused;
            continue;
        }
        for (unsigned n = 1; n != words; ++n) area[(written / 8 + n) % (capacity / 8)] = i;
        if (i == discarded) continue; // its place is the next one's
        area[written / 8 % (capacity / 8)] = size;
        ++accepted;
        written += size;
        publish_head(&head, written);
    }
    return nothing;
}

static uint64_t taken = START;
static unsigned delivered, last;

static void drain(void) {
    const uint64_t known_head = load_head(&head), from = taken;
    assert(known_head - taken <= capacity);
    for (; taken != known_head; taken += size) {
        assert(area[taken / 8 % (capacity / 8)] == size);
        const uint64_t number = area[(taken / 8 + 1) % (capacity / 8)];
        for (unsigned n = 2; n != words; ++n) assert(area[(taken / 8 + n) % (capacity / 8)] == number);
        assert(number > last);
        last = (unsigned)number;
        ++delivered;
    }
    if (taken != from) release_tail(&tail, taken);
}

int main(void) {
    pthread_t producer;
    pthread_create(&producer, NULL, produce, NULL);
    drain(), drain();
    pthread_join(producer, NULL);
    drain(), drain();
    assert(delivered == accepted);
    return 0;
}
