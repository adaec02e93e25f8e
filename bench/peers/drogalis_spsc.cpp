// SPDX-License-Identifier: Apache-2.0
// dro::SPSCQueue: a ring with cached indices and capacity at run time.
#include "../src/workload/adapter.hpp"

#include <dro/spsc-queue.hpp>

namespace ringproof::bench {
namespace {

template <class Payload>
struct drogalis_spsc {
    static constexpr bool one_producer = true;
    using payload = Payload;

    drogalis_spsc(std::size_t capacity, std::size_t) : queue(capacity) {}

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

    drogalis_spsc& producer() { return *this; }
    drogalis_spsc& consumer() { return *this; }
    dro::SPSCQueue<payload> queue;
};

} // namespace

void add_drogalis_spsc(catalogue& out) {
    out.peers.push_back({"drogalis_spsc", "one type", "total", "refuses", "by the caller",
                         "force_push, without a reader", "no (pointer)", "one producer: it ends"});
    add_spsc<drogalis_spsc>(out, "drogalis_spsc");
}

} // namespace ringproof::bench
