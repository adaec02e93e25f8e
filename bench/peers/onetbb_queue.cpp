// SPDX-License-Identifier: Apache-2.0
// oneTBB's concurrent_bounded_queue: many producers and consumers, sub-queues behind tickets, waits in monitors.
#include "../src/workload/adapter.hpp"

#include <oneapi/tbb/concurrent_queue.h>

namespace ringproof::bench {
namespace {

template <class Payload>
struct tbb_bounded {
    static constexpr bool one_producer = false;
    using payload = Payload;

    tbb_bounded(std::size_t capacity, std::size_t) {
        queue.set_capacity(static_cast<std::ptrdiff_t>(capacity));
    }

    template <class Fill>
    bool try_push(Fill&& fill) {
        payload p;
        fill(p);
        return queue.try_push(p);
    }
    template <class Use>
    bool try_pop(Use&& use) {
        payload p;
        if (!queue.try_pop(p)) return false;
        use(p);
        return true;
    }

    tbb_bounded& producer() { return *this; }
    tbb_bounded& consumer() { return *this; }
    tbb::concurrent_bounded_queue<payload> queue;
};

} // namespace

void add_onetbb_queue(catalogue& out) {
    out.peers.push_back({"onetbb_bounded_queue", "one type", "total", "refuses, or waits", "by the caller",
                         "no", "no", "the consumer waits for ever for its item"});
    add_mpsc<tbb_bounded>(out, "onetbb_bounded_queue");
}

} // namespace ringproof::bench
