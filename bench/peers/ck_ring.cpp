// SPDX-License-Identifier: Apache-2.0
// Concurrency Kit's ck_ring, by value: one producer, and many (which publish in the order of their tickets).
#include "../src/workload/adapter.hpp"

// Its headers are C: one function that returns a pointer returns `false`, which C++ does not take for a null pointer
// but 0 is; and its own per-type functions convert void* freely, so the ones beneath are called.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wconversion"
#include <ck_cc.h>
#include <ck_md.h>
#include <ck_pr.h>
#include <ck_stdbool.h>
#include <ck_string.h>
#define false 0
#include <ck_ring.h>
#undef false
#pragma GCC diagnostic pop

#include <bit>

namespace ringproof::bench {
namespace {

template <bool OneProducer, class Payload>
struct ck {
    static constexpr bool one_producer = OneProducer;
    using payload = Payload;

    // One slot stays free.
    ck(std::size_t capacity, std::size_t) : slots(std::bit_ceil(capacity)) {
        ck_ring_init(&ring, static_cast<unsigned>(slots.size()));
    }

    template <class Fill>
    bool try_push(Fill&& fill) {
        payload p;
        fill(p);
        if constexpr (one_producer)
            return _ck_ring_enqueue_sp(&ring, slots.data(), &p, sizeof p, nullptr);
        else
            return _ck_ring_enqueue_mp(&ring, slots.data(), &p, sizeof p, nullptr);
    }
    template <class Use>
    bool try_pop(Use&& use) {
        payload p;
        if (!_ck_ring_dequeue_sc(&ring, slots.data(), &p, sizeof p)) return false;
        use(p);
        return true;
    }

    ck& producer() { return *this; }
    ck& consumer() { return *this; }
    ck_ring ring;
    std::vector<payload> slots;
};

template <class Payload>
using spsc = ck<true, Payload>;
template <class Payload>
using mpsc = ck<false, Payload>;

} // namespace

void add_ck_ring(catalogue& out) {
    out.peers.push_back({"ck_ring_spsc", "one type", "total", "refuses", "by the caller", "no", "yes",
                         "one producer: it ends"});
    out.peers.push_back({"ck_ring_mpsc", "one type", "total", "refuses", "by the caller", "no", "yes",
                         "before its ticket's turn: all producers stop"});
    add_spsc<spsc>(out, "ck_ring_spsc");
    add_mpsc<mpsc>(out, "ck_ring_mpsc");
}

} // namespace ringproof::bench
