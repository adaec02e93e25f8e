// SPDX-License-Identifier: Apache-2.0
// oneTBB's concurrent_bounded_queue: many producers and consumers, sub-queues behind tickets, waits in monitors.
#include "../src/workload/adapter.hpp"

#include <oneapi/tbb/concurrent_queue.h>

namespace ringproof::bench {
namespace {

template <class Payload>
struct tbb_bounded : value_queue_adapter<tbb::concurrent_bounded_queue<Payload>, Payload, false> {
    tbb_bounded(std::size_t capacity, std::size_t) {
        this->queue.set_capacity(static_cast<std::ptrdiff_t>(capacity));
    }
};

} // namespace

void add_onetbb_queue(catalogue& out) {
    out.peers.push_back({"onetbb_bounded_queue", "one type", "total", "refuses, or waits", "by the caller",
                         "no", "no", "the consumer waits for ever for its item"});
    add_mpsc<tbb_bounded>(out, "onetbb_bounded_queue");
}

} // namespace ringproof::bench
