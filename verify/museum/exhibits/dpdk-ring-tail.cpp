// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <cstdint>
#include <rte_branch_prediction.h>
#include <rte_ring.h>
#include <thread>

// As rte_ring_init() makes it, which needs DPDK's environment.
static struct {
    rte_ring head;
    void* slots[4];
} memory;

int main() {
    rte_ring* const ring = &memory.head;
    ring->size = 4, ring->mask = 3, ring->capacity = 3;
    int value;
    std::thread producer([&] { rte_ring_mp_enqueue(ring, &value); });
    void* taken;
    if (rte_ring_mc_dequeue(ring, &taken) == 0) assert(taken == &value);
    producer.join();
}
