// SPDX-License-Identifier: Apache-2.0
// folly::ProducerConsumerQueue: Lamport's ring, without cached indices.
#include "../src/workload/adapter.hpp"

#include <folly/ProducerConsumerQueue.h>

namespace ringproof::bench {
namespace {

template <class Payload>
struct folly_pcq {
    static constexpr bool one_producer = true;
    using payload = Payload;

    // One slot stays free.
    folly_pcq(std::size_t capacity, std::size_t) : queue(static_cast<std::uint32_t>(capacity + 1)) {}

    template <class Fill>
    bool try_push(Fill&& fill) {
        payload p;
        fill(p);
        return queue.write(p);
    }
    template <class Use>
    bool try_pop(Use&& use) {
        const payload* const p = queue.frontPtr();
        if (!p) return false;
        use(*p);
        queue.popFront();
        return true;
    }

    folly_pcq& producer() { return *this; }
    folly_pcq& consumer() { return *this; }
    folly::ProducerConsumerQueue<payload> queue;
};

} // namespace

void add_folly_pcq(catalogue& out) {
    out.peers.push_back({"folly_pcq", "one type", "total", "refuses", "by the caller", "no", "no (pointer)",
                         "one producer: it ends"});
    add_spsc<folly_pcq>(out, "folly_pcq");
}

} // namespace ringproof::bench
