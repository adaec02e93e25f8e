// SPDX-License-Identifier: Apache-2.0
// core's record_ring<single> of 64 bytes, in verify/scenarios/ring/record_ring.cpp: three records of 32 bytes from position
// START on, so that the third takes the place of the first.
#include "barriers.h"

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { capacity = 64, size = 32, records = 3, words = size / 8 };

static uint64_t area[capacity / 8]; ///< a header and three words for each record
static position head = START, tail = START;

static void* produce(void* nothing) {
    uint64_t written = START, known_tail = START;
    for (uint64_t i = 1; i <= records; ++i) {
        if (capacity - (written - known_tail) < size) {
            do known_tail = load_tail(&tail);
            while (capacity - (written - known_tail) < size);
        }
        for (unsigned n = 1; n != words; ++n) area[(written / 8 + n) % (capacity / 8)] = i;
        area[written / 8 % (capacity / 8)] = size;
        written += size;
        publish_head(&head, written);
    }
    return nothing;
}

int main(void) {
    pthread_t producer;
    pthread_create(&producer, NULL, produce, NULL);
    uint64_t taken = START;
    for (uint64_t expected = 1; expected <= records;) {
        uint64_t known_head;
        do known_head = load_head(&head);
        while (known_head == taken);
        for (; taken != known_head; taken += size) { // a batch, which is given back as a whole
            assert(area[taken / 8 % (capacity / 8)] == size);
            for (unsigned n = 1; n != words; ++n) assert(area[(taken / 8 + n) % (capacity / 8)] == expected);
            ++expected;
        }
        release_tail(&tail, taken);
    }
    pthread_join(producer, NULL);
    return 0;
}
