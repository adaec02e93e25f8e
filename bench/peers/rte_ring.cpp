// SPDX-License-Identifier: Apache-2.0
// DPDK's rte_ring: one producer, and many (which publish in the order of their tickets). Only its headers are
// used: rte_ring_create would want DPDK's environment, huge pages and all, and rte_ring_init its libraries.
#include "../src/workload/adapter.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wconversion"
#include <rte_config.h>
#include <rte_ring.h>
#include <rte_ring_elem.h>
#pragma GCC diagnostic pop

#include <bit>
#include <cstring>
#include <new>

namespace ringproof::bench {
namespace {

template <bool OneProducer, class Payload>
struct rte {
    static constexpr bool one_producer = OneProducer;
    using payload = Payload;
    static_assert(sizeof(payload) % 4 == 0, "rte_ring's elements are multiples of 4 bytes");

    rte(std::size_t capacity, std::size_t) {
        const std::size_t size = std::bit_ceil(capacity);
        const std::size_t bytes = sizeof(rte_ring) + size * sizeof(payload);
        memory = ::operator new(bytes, alignment);
        std::memset(memory, 0, bytes);
        ring = static_cast<rte_ring*>(memory);
        ring->size = static_cast<std::uint32_t>(size);
        ring->mask = ring->size - 1;
        ring->capacity = ring->mask; // one slot stays free
        ring->prod.sync_type = OneProducer ? RTE_RING_SYNC_ST : RTE_RING_SYNC_MT;
        ring->cons.sync_type = RTE_RING_SYNC_ST;
    }
    ~rte() { ::operator delete(memory, alignment); }
    rte(const rte&) = delete;
    rte& operator=(const rte&) = delete;

    template <class Fill>
    bool try_push(Fill&& fill) {
        payload p;
        fill(p);
        if constexpr (OneProducer)
            return rte_ring_sp_enqueue_elem(ring, &p, sizeof p) == 0;
        else
            return rte_ring_mp_enqueue_elem(ring, &p, sizeof p) == 0;
    }
    template <class Use>
    bool try_pop(Use&& use) {
        payload p;
        if (rte_ring_sc_dequeue_elem(ring, &p, sizeof p) != 0) return false;
        use(p);
        return true;
    }

    rte& producer() { return *this; }
    rte& consumer() { return *this; }
    static constexpr std::align_val_t alignment{128};
    void* memory = nullptr;
    rte_ring* ring = nullptr;
};

template <class Payload>
using spsc = rte<true, Payload>;
template <class Payload>
using mpsc = rte<false, Payload>;

} // namespace

void add_rte_ring(catalogue& out) {
    out.peers.push_back({"rte_ring_spsc", "one size, multiples of 4 bytes", "total", "refuses",
                         "by the caller", "no", "yes", "one producer: it ends"});
    out.peers.push_back({"rte_ring_mpsc", "one size, multiples of 4 bytes", "total", "refuses",
                         "by the caller", "no", "yes", "before its ticket's turn: all producers stop"});
    add_spsc<spsc>(out, "rte_ring_spsc");
    add_mpsc<mpsc>(out, "rte_ring_mpsc");
}

} // namespace ringproof::bench
