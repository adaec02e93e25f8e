// SPDX-License-Identifier: Apache-2.0
// DPDK's rte_soring (25.03 and later): a ring whose items pass stages in any order and leave in the order of their coming.
// Its stages' tails, and the states of its items, are words of 64 bits that are also read and written in halves. Two threads do
// the work of one stage while main takes out what is done; each item is worked on once and comes out in its place.
// Compiled with the sources themselves: -I lib/ring. As they are, __rte_soring_stage_finalize() reads the states of items
// without acquiring what release() wrote before, so that an item races with the one who takes it out. -DACQUIRING mends that.
#include <assert.h>
#include <pthread.h>
#include <rte_branch_prediction.h>
#include <rte_stdatomic.h>

#ifdef ACQUIRING
#undef rte_atomic_load_explicit
#define rte_atomic_load_explicit(from, order) __atomic_load_n(from, __ATOMIC_ACQUIRE)
#endif
#include <soring.c>

// What rte_soring_init() is needed for, which is in a file with DPDK's log.
#define ITEMS 2
static struct {
    struct rte_soring ring;
    uint32_t items[ITEMS * 2];
    _Alignas(64) union soring_state states[ITEMS * 2];
    _Alignas(64) struct soring_stage stage;
} memory;
int soring_logtype;
/// Called where the state of an item is not what it has to be.
int rte_log(uint32_t level, uint32_t type, const char* format, ...) {
    (void)level, (void)type, (void)format;
    assert(!"the ring's own checks hold");
    return 0;
}

static void* work(void* unused) {
    (void)unused;
    uint32_t item, token;
    if (rte_soring_acquire_burst(&memory.ring, &item, 0, 1, &token, NULL) == 1) {
        ++item;
        rte_soring_release(&memory.ring, &item, 0, 1, token);
    }
    return NULL;
}

int main(void) {
    struct rte_soring* const ring = &memory.ring;
    ring->size = ITEMS * 2, ring->mask = ITEMS * 2 - 1, ring->capacity = ITEMS,
    ring->esize = sizeof(uint32_t);
    ring->prod.ht.sync_type = ring->cons.ht.sync_type = SYNC;
    if (SYNC == RTE_RING_SYNC_MT_RTS) ring->prod.rts.htd_max = ring->cons.rts.htd_max = 1;
    ring->stage = &memory.stage, ring->nb_stage = 1, ring->state = memory.states;

    const uint32_t in[ITEMS] = {10, 20};
    uint32_t out[ITEMS] = {0, 0};
    assert(rte_soring_enqueue_bulk(ring, in, ITEMS, NULL) == ITEMS);
    pthread_t worker[2];
    for (int i = 0; i < 2; ++i) pthread_create(&worker[i], NULL, work, NULL);
    uint32_t done = rte_soring_dequeue_burst(ring, out, ITEMS, NULL);
    for (int i = 0; i < 2; ++i) pthread_join(worker[i], NULL);
    done += rte_soring_dequeue_burst(ring, out + done, ITEMS - done, NULL);
    assert(done == ITEMS && out[0] == 11 && out[1] == 21);
}
