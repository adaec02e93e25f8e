// SPDX-License-Identifier: Apache-2.0
// Ours: queues for items, and for the time being also for fixed-size records.
#include "../src/workload/adapter.hpp"

#include <ringproof/mpsc_queue.hpp>
#include <ringproof/spsc_queue.hpp>

namespace ringproof::bench {
namespace {

template <class Queue, bool OneProducer, class Payload>
struct ring_of_items {
    static constexpr bool one_producer = OneProducer;
    using payload = Payload;

    ring_of_items(std::size_t capacity, std::size_t) : queue(capacity) {}

    template <class Fill>
    bool try_push(Fill&& fill) {
        payload p;
        fill(p);
        return queue.try_push(p);
    }
    template <class Use>
    bool try_pop(Use&& use) {
        return queue.consume(use, 1) == 1;
    }

    ring_of_items& producer() { return *this; }
    ring_of_items& consumer() { return *this; }
    Queue queue;
};

template <class Payload>
using spsc = ring_of_items<ringproof::spsc_queue<Payload>, true, Payload>;
template <class Payload>
using mpsc = ring_of_items<ringproof::mpsc_queue<Payload>, false, Payload>;

} // namespace

void add_ringproof_queues(catalogue& out) {
    add_spsc<spsc<item>, spsc<record<64>>>(out, "ringproof");
    add_mpsc<mpsc<item>, mpsc<record<64>>>(out, "ringproof");
}

} // namespace ringproof::bench
