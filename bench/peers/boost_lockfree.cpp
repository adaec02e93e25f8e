// SPDX-License-Identifier: Apache-2.0
// boost::lockfree: spsc_queue (bounded ring) and queue (Michael-Scott list, bounded by its node pool).
#include "../src/workload/adapter.hpp"

#include <boost/lockfree/queue.hpp>
#include <boost/lockfree/spsc_queue.hpp>

namespace ringproof::bench {
namespace {

template <class Payload>
struct boost_spsc {
    static constexpr bool one_producer = true;
    using payload = Payload;

    boost_spsc(std::size_t capacity, std::size_t) : queue(capacity) {}

    template <class Fill>
    bool try_push(Fill&& fill) {
        payload p;
        fill(p);
        return queue.push(p);
    }
    template <class Use>
    bool try_pop(Use&& use) {
        return queue.consume_one(use);
    }

    boost_spsc& producer() { return *this; }
    boost_spsc& consumer() { return *this; }
    boost::lockfree::spsc_queue<payload> queue;
};

template <class Payload>
struct boost_queue {
    static constexpr bool one_producer = false;
    using payload = Payload;

    boost_queue(std::size_t capacity, std::size_t) : queue(capacity) {}

    template <class Fill>
    bool try_push(Fill&& fill) {
        payload p;
        fill(p);
        return queue.bounded_push(p);
    }
    template <class Use>
    bool try_pop(Use&& use) {
        payload p;
        if (!queue.pop(p)) return false;
        use(p);
        return true;
    }

    boost_queue& producer() { return *this; }
    boost_queue& consumer() { return *this; }
    boost::lockfree::queue<payload> queue;
};

} // namespace

void add_boost_lockfree(catalogue& out) {
    out.peers.push_back({"boost_spsc_queue", "one type", "total", "refuses", "by the caller", "no",
                         "yes, with a fixed capacity", "one producer: it ends"});
    out.peers.push_back({"boost_queue", "one trivially copyable type", "total", "refuses", "by the caller",
                         "no", "yes, with a fixed capacity", "the item is lost, others go on"});
    add_spsc<boost_spsc>(out, "boost_spsc_queue");
    add_mpsc<boost_queue>(out, "boost_queue");
}

} // namespace ringproof::bench
