// SPDX-License-Identifier: Apache-2.0
// MengRao's SPSCQueueOPT: a flag in each slot, no index is exchanged. Its capacity is a template argument.
#include "../src/workload/adapter.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#include <SPSCQueueOPT.h>
#pragma GCC diagnostic pop

namespace ringproof::bench {
namespace {

template <class Payload>
struct mengrao_spsc {
    static constexpr bool one_producer = true;
    using payload = Payload;

    mengrao_spsc(std::size_t, std::size_t) {}

    template <class Fill>
    bool try_push(Fill&& fill) {
        return queue.tryPush([&](payload* p) { fill(*p); });
    }
    template <class Use>
    bool try_pop(Use&& use) {
        return queue.tryPop([&](payload* p) { use(*p); });
    }

    mengrao_spsc& producer() { return *this; }
    mengrao_spsc& consumer() { return *this; }
    SPSCQueueOPT<payload, static_cast<std::uint32_t>(capacity_for<payload>())> queue;
};

} // namespace

void add_mengrao_spsc(catalogue& out) {
    out.peers.push_back({"mengrao_spsc_opt", "one type", "total", "refuses", "by the caller", "no",
                         "no (the other of his queues can)", "one producer: it ends"});
    add_spsc<mengrao_spsc>(out, "mengrao_spsc_opt");
}

} // namespace ringproof::bench
