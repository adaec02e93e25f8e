// SPDX-License-Identifier: Apache-2.0
// The anchor: what one writes first. std::mutex around a bounded std::deque. Whoever polls it looks at a counter
// first, as anyone would: a producer that takes the lock again and again to find the queue full keeps the consumer
// from ever getting it.
#include "../src/workload/adapter.hpp"

#include <atomic>
#include <deque>
#include <mutex>

namespace ringproof::bench {
namespace {

template <bool OneProducer, class Payload>
struct mutex_deque {
    static constexpr bool one_producer = OneProducer;
    using payload = Payload;

    mutex_deque(std::size_t most, std::size_t) : capacity(most) {}

    template <class Fill>
    bool try_push(Fill&& fill) {
        payload p;
        fill(p);
        if (size.load(std::memory_order_relaxed) >= capacity) return false;
        const std::lock_guard lock(mutex);
        if (queue.size() >= capacity) return false;
        queue.push_back(p);
        size.store(queue.size(), std::memory_order_relaxed);
        return true;
    }
    template <class Use>
    bool try_pop(Use&& use) {
        payload p;
        if (size.load(std::memory_order_relaxed) == 0) return false;
        {
            const std::lock_guard lock(mutex);
            if (queue.empty()) return false;
            p = queue.front();
            queue.pop_front();
            size.store(queue.size(), std::memory_order_relaxed);
        }
        use(p);
        return true;
    }

    mutex_deque& producer() { return *this; }
    mutex_deque& consumer() { return *this; }
    std::size_t capacity;
    std::mutex mutex;
    std::atomic<std::size_t> size{0};
    std::deque<payload> queue;
};

template <class Payload>
using spsc = mutex_deque<true, Payload>;
template <class Payload>
using mpsc = mutex_deque<false, Payload>;

} // namespace

void add_mutex_deque(catalogue& out) {
    out.peers.push_back({"mutex_deque", "one type", "total", "as one writes it", "by the caller",
                         "as one writes it", "no", "in the lock: all stop"});
    add_spsc<spsc>(out, "mutex_deque");
    add_mpsc<mpsc>(out, "mutex_deque");
}

} // namespace ringproof::bench
