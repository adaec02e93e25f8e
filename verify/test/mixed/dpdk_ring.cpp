// SPDX-License-Identifier: Apache-2.0
// DPDK's rte_ring, as Debian's libdpdk-dev has it, in the modes whose head and tail are one word of 64 bits: the tail is
// also read and written alone. -DMODE=HTS or RTS. Two producers, or two consumers (-DCONSUMERS); no item is lost or doubled.
#include <cassert>
#include <cstdint>
#include <rte_branch_prediction.h>
#include <rte_ring.h>
#include <thread>

#define JOIN(a, b) a##b
#define SYNC(mode) JOIN(RTE_RING_SYNC_MT_, mode)

// As rte_ring_init() makes it, which needs DPDK's environment.
static struct {
    rte_ring head;
    void* slots[4];
} memory;
static int data[2];

static bool enqueue(rte_ring* ring, int item) {
    data[item] = item + 1;
    return rte_ring_enqueue(ring, &data[item]) == 0;
}

/// @return the item, or -1
static int dequeue(rte_ring* ring) {
    void* taken;
    if (rte_ring_dequeue(ring, &taken) != 0) return -1;
    const auto item = static_cast<int>(static_cast<int*>(taken) - data);
    assert(*static_cast<int*>(taken) == item + 1);
    return item;
}

int main() {
    rte_ring* const ring = &memory.head;
    ring->size = 4, ring->mask = 3, ring->capacity = 3;
    ring->prod.sync_type = ring->cons.sync_type = SYNC(MODE);
    if (SYNC(MODE) == RTE_RING_SYNC_MT_RTS) ring->rts_prod.htd_max = ring->rts_cons.htd_max = 1;
#ifdef CONSUMERS
    assert(enqueue(ring, 0) && enqueue(ring, 1));
    int mine = -1;
    std::thread other([&] { mine = dequeue(ring); });
    const int first = dequeue(ring);
    other.join();
    assert(first + mine == 1 && first != mine);
#else
    std::thread other([&] { assert(enqueue(ring, 0)); });
    const int early = dequeue(ring);
    assert(enqueue(ring, 1));
    other.join();
    const int first = early != -1 ? early : dequeue(ring), second = dequeue(ring);
    assert(first + second == 1 && first != second);
#endif
    assert(dequeue(ring) == -1);
}
