// SPDX-License-Identifier: Apache-2.0
// core's mpsc_queue with CAPACITY slots, in verify/scenarios/ring/mpsc_queue.cpp: two items from each of two producers, from
// position START on.
#include "barriers.h"

#include <assert.h>
#include <genmc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { each = 2, items = 2 * each };

static struct {
    uint64_t turn;
    int item;
} slots[CAPACITY];
static position reserved = START;

/// @return false when the queue is full: the slot has not been vacated for this lap
static bool try_push(int item) {
    uint64_t at = claimed(&reserved);
    do {
        if ((int64_t)(load_vacancy(&slots[at % CAPACITY].turn) - at) < 0) return false;
    } while (!claim(&reserved, &at, at + 1));
    slots[at % CAPACITY].item = item;
    commit(&slots[at % CAPACITY].turn, at + 1);
    return true;
}

static void* produce(void* first) {
    for (int i = 1; i <= each; ++i) __VERIFIER_assume(try_push(*(int*)first + i));
    return first;
}

int main(void) {
    for (uint64_t at = START; at != (uint64_t)START + CAPACITY; ++at) slots[at % CAPACITY].turn = at;
    int first[2] = {0, 16}, seen[2] = {0, 0};
    pthread_t producers[2];
    for (int i = 0; i != 2; ++i) pthread_create(&producers[i], NULL, produce, &first[i]);
    uint64_t taken = START;
    for (int popped = 0; popped != items; ++popped) {
        uint64_t* const turn = &slots[taken % CAPACITY].turn;
        __VERIFIER_assume(load_commit(turn) == taken + 1);
        const int item = slots[taken % CAPACITY].item;
        vacate(turn, taken + CAPACITY);
        ++taken;
        assert(item % 16 == ++seen[item / 16]);
    }
    for (int i = 0; i != 2; ++i) pthread_join(producers[i], NULL);
    return 0;
}
