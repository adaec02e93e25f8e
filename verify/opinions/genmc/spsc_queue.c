// SPDX-License-Identifier: Apache-2.0
// core's spsc_queue with two slots, in verify/scenarios/ring/spsc_queue.cpp: ITEMS items from position START on, one by one
// or, with BATCHES, as many at a time as there is room for.
#include "barriers.h"

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { capacity = 2 };

static int slots[capacity];
static position head = START, tail = START;

static void* produce(void* nothing) {
    uint64_t written = START, known_tail = START;
    for (int i = 1; i <= ITEMS;) {
        const uint64_t wanted = BATCHES ? (uint64_t)(ITEMS + 1 - i) : 1;
        if (capacity - (written - known_tail) < wanted) {
            do known_tail = load_tail(&tail);
            while (written - known_tail == capacity);
        }
        for (uint64_t n = wanted; n != 0 && written - known_tail != capacity; --n)
            slots[written++ % capacity] = i++;
        publish_head(&head, written);
    }
    return nothing;
}

int main(void) {
    pthread_t producer;
    pthread_create(&producer, NULL, produce, NULL);
    uint64_t taken = START, known_head = START;
    for (int expected = 1; expected <= ITEMS;) {
        if (BATCHES || known_head == taken) {
            do known_head = load_head(&head);
            while (known_head == taken);
        }
        do assert(slots[taken++ % capacity] == expected++);
        while (BATCHES && taken != known_head);
        release_tail(&tail, taken);
    }
    pthread_join(producer, NULL);
    assert(own(&head) == own(&tail));
    return 0;
}
