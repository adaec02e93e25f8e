// SPDX-License-Identifier: Apache-2.0
// core's recorder<single, backward> of 64 bytes, in verify/scenarios/ring/recorder.cpp: it has four records of 16 bytes, and a
// fifth is written over the oldest while a snapshot is taken.
#include "barriers.h"

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { capacity = 64, size = 16, words = capacity / 8, header = 16 };
#define START ((uint64_t)0 - 16)

static position area[words];
static position head = START, intent = START;

/// Positions run downwards.
static void write_over(uint64_t number) {
    const uint64_t at = own(&intent) - size;
    intend(&intent, at);
    put_word(&area[at / 8 % words], header);
    put_word(&area[(at / 8 + 1) % words], number);
    publish_head(&head, at);
}

static void* write_fifth(void* nothing) {
    write_over(5);
    return nothing;
}

int main(void) {
    for (uint64_t i = 1; i <= 4; ++i) write_over(i);
    pthread_t writer;
    pthread_create(&writer, NULL, write_fifth, NULL);
    uint64_t copy[words];
    const uint64_t at = load_head(&head);
    for (unsigned n = 0; n != words; ++n) copy[n] = get_word(&area[(at / 8 + n) % words]);
    const uint64_t overwritten = at - load_intent(&intent);
    uint64_t newer = 0;
    for (uint64_t distance = 0; distance < capacity - overwritten; distance += size) {
        assert(copy[distance / 8] == header);
        const uint64_t number = copy[distance / 8 + 1];
        assert(newer == 0 ? number >= 4 : number + 1 == newer);
        newer = number;
    }
    pthread_join(writer, NULL);
    return 0;
}
