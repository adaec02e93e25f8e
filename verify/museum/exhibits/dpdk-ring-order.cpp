// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <cstdint>
#include <rte_ring_elem.h>
#include <thread>

// As rte_ring_init() makes it, which needs DPDK's environment.
static struct {
    rte_ring head;
    uint64_t slots[4];
} memory;

static unsigned take(rte_ring* ring) {
    uint64_t element;
    return rte_ring_mc_dequeue_burst_elem(ring, &element, sizeof element, 1, nullptr);
}

int main() {
    rte_ring* const ring = &memory.head;
    ring->size = 4, ring->mask = 3, ring->capacity = 3;
    ring->prod.sync_type = ring->cons.sync_type = RTE_RING_SYNC_MT;
    unsigned first = 0;
    std::thread both([&] {
        const uint64_t element = 7;
        rte_ring_mp_enqueue_bulk_elem(ring, &element, sizeof element, 1, nullptr);
        first = take(ring);
    });
    const unsigned second = take(ring);
    both.join();
    assert(first + second <= 1);
}
