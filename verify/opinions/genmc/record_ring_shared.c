// SPDX-License-Identifier: Apache-2.0
// core's record_ring<shared> of 64 bytes: records of 32 bytes from two producers, each handed over by its header word, which the
// consumer zeroes with the rest before it gives the place back.
//
//     TRIES 0   in verify/scenarios/ring/record_ring.cpp: three records, for which producers wait
//     TRIES 1   in verify/scenarios/ring/ring_set.hpp: four records. What does not fit is lost and counted, and at rest every
//               record is accounted for
#include "barriers.h"

#include <assert.h>
#include <genmc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { capacity = 64, size = 32, words = size / 8, discarded = 2, padding = 1 << 16 };
#if TRIES
#define START ((uint64_t)0 - 24)
enum { records_of_second = 2 };
#else
#define START ((uint64_t)40)
enum { records_of_second = 1 };
#endif

static uint64_t area[capacity / 8];
static position head = START, tail = START, lost;

static uint64_t* word(uint64_t at) { return &area[at / 8 % (capacity / 8)]; }

static bool reserve(uint64_t* at) {
    *at = claimed(&head);
    for (;;) {
        const uint64_t used = *at - load_tail(&tail);
        if (used > capacity) {
            // Tail has passed `at`, so head has, and after A it is not read as old as that again.
            const uint64_t stale = *at;
            *at = claimed(&head);
            if (*at == stale) return false;
            continue;
        }
        if (capacity - used < size) return false;
        if (claim(&head, at, *at + size)) return true;
    }
}

static unsigned accepted[2], refused[2]; ///< read when the producers have ended

static void write_all(uint64_t id, uint64_t records) {
    for (uint64_t i = 1; i <= records; ++i) {
        uint64_t at;
        if (TRIES) {
            if (!reserve(&at)) {
                ++refused[id];
                count_shared(&lost);
                continue;
            }
        } else {
            __VERIFIER_assume(reserve(&at));
        }
        for (unsigned n = 1; n != words; ++n) *word(at + 8 * n) = 16 * id + i;
        const bool none = TRIES && id == 0 && i == discarded;
        if (!none) ++accepted[id];
        commit(word(at), none ? size + padding : size);
    }
}
static void* first_writes(void* nothing) {
    write_all(0, 2);
    return nothing;
}
static void* second_writes(void* nothing) {
    write_all(1, records_of_second);
    return nothing;
}

static uint64_t taken = START;
static unsigned delivered[2], last[2];

/// @return whether there was anything
static bool drain(void) {
    const uint64_t from = taken;
    while (taken - from != capacity) {
        const uint64_t header = load_commit(word(taken));
        if (header == 0) break;
        if (header == size) {
            const uint64_t number = *word(taken + 8), id = number / 16;
            for (unsigned n = 2; n != words; ++n) assert(*word(taken + 8 * n) == number);
            assert(id < 2 && (TRIES ? number % 16 > last[id] : number % 16 == last[id] + 1));
            last[id] = (unsigned)(number % 16);
            ++delivered[id];
        } else
            assert(header == size + padding);
        taken += size;
    }
    if (taken == from) return false;
    for (uint64_t at = from; at != taken; at += 8) *word(at) = 0;
    release_tail(&tail, taken);
    return true;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, NULL, first_writes, NULL);
    pthread_create(&second, NULL, second_writes, NULL);
    if (TRIES)
        drain(), drain();
    else
        while (delivered[0] + delivered[1] != 2 + records_of_second) __VERIFIER_assume(drain());
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    if (TRIES) drain(), drain();
    assert(delivered[0] == accepted[0] && delivered[1] == accepted[1]);
    assert(own(&lost) == refused[0] + refused[1]);
    return 0;
}
