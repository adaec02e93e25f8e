// SPDX-License-Identifier: Apache-2.0
// atomic_queue (Maxim Egorushkin): AtomicQueueB2, of a capacity at run time and any type, with one producer and
// with many; and its fastest, push and pop of a sized AtomicQueue for one producer, which has to be asked for room before, since
// its push would wait.
#include "../src/workload/adapter.hpp"

#include <atomic_queue/atomic_queue.h>

namespace ringproof::bench {
namespace {

template <class Payload, bool OneProducer>
using b2 = atomic_queue::AtomicQueueB2<Payload, std::allocator<Payload>, true, !OneProducer, OneProducer>;

template <bool OneProducer, class Payload>
struct sized_at_run_time : value_queue_adapter<b2<Payload, OneProducer>, Payload, OneProducer> {
    sized_at_run_time(std::size_t capacity, std::size_t)
        : sized_at_run_time::value_queue_adapter(static_cast<unsigned>(capacity)) {}
};
template <class Payload>
using spsc = sized_at_run_time<true, Payload>;
template <class Payload>
using mpsc = sized_at_run_time<false, Payload>;

struct optimist {
    static constexpr bool one_producer = true;
    using payload = item;

    optimist(std::size_t, std::size_t) {}

    template <class Fill>
    bool try_push(Fill&& fill) {
        if (queue.was_full()) return false;
        payload p;
        fill(p);
        queue.push(p);
        return true;
    }
    template <class Use>
    bool try_pop(Use&& use) {
        if (queue.was_empty()) return false;
        const payload p = queue.pop();
        use(p);
        return true;
    }

    optimist& producer() { return *this; }
    optimist& consumer() { return *this; }
    atomic_queue::AtomicQueue<payload, static_cast<unsigned>(queue_capacity), ~payload{0}, true, true, false,
                              true>
        queue;
};

} // namespace

void add_atomic_queue(catalogue& out) {
    const auto about = [&](const char* peer, const char* full, const char* death) {
        out.peers.push_back({peer, "one type", "total", full, "by the caller", "no", "no", death});
    };
    about("atomic_queue_b2_spsc", "refuses", "one producer: it ends");
    about("atomic_queue_b2_mpsc", "refuses", "the consumer waits for ever for its item");
    about("atomic_queue_optimist_spsc", "waits", "one producer: it ends");
    add_spsc<spsc>(out, "atomic_queue_b2_spsc");
    add_spsc_items<optimist>(out, "atomic_queue_optimist_spsc");
    add_mpsc<mpsc>(out, "atomic_queue_b2_mpsc");
}

} // namespace ringproof::bench
