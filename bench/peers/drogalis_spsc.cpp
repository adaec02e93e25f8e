// SPDX-License-Identifier: Apache-2.0
// dro::SPSCQueue: a ring with cached indices and capacity at run time.
#include "../src/workload/adapter.hpp"

#include <dro/spsc-queue.hpp>

namespace ringproof::bench {
namespace {

template <class Payload>
struct drogalis_spsc : value_queue_adapter<dro::SPSCQueue<Payload>, Payload, true> {
    drogalis_spsc(std::size_t capacity, std::size_t) : drogalis_spsc::value_queue_adapter(capacity) {}
};

} // namespace

void add_drogalis_spsc(catalogue& out) {
    out.peers.push_back({"drogalis_spsc", "one type", "total", "refuses", "by the caller",
                         "force_push, without a reader", "no (pointer)", "one producer: it ends"});
    add_spsc<drogalis_spsc>(out, "drogalis_spsc");
}

} // namespace ringproof::bench
