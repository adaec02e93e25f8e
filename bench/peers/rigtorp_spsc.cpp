// SPDX-License-Identifier: Apache-2.0
// rigtorp::SPSCQueue: a ring with cached indices, read in place.
#include "../src/workload/adapter.hpp"

#include <rigtorp/SPSCQueue.h>

namespace ringproof::bench {
namespace {

template <class Payload>
struct rigtorp_spsc {
    static constexpr bool one_producer = true;
    using payload = Payload;

    rigtorp_spsc(std::size_t capacity, std::size_t) : queue(capacity) {}

    template <class Fill>
    bool try_push(Fill&& fill) {
        return push_value<payload>(queue, fill);
    }
    template <class Use>
    bool try_pop(Use&& use) {
        const payload* const p = queue.front();
        if (!p) return false;
        use(*p);
        queue.pop();
        return true;
    }

    rigtorp_spsc& producer() { return *this; }
    rigtorp_spsc& consumer() { return *this; }
    rigtorp::SPSCQueue<payload> queue;
};

} // namespace

void add_rigtorp_spsc(catalogue& out) {
    out.peers.push_back({"rigtorp_spsc", "one type", "total", "refuses", "by the caller", "no",
                         "no (pointer)", "one producer: it ends"});
    add_spsc<rigtorp_spsc>(out, "rigtorp_spsc");
}

} // namespace ringproof::bench
