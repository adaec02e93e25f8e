// SPDX-License-Identifier: Apache-2.0
// moodycamel::ConcurrentQueue with tokens, its fastest form: a sub-queue for each producer, so that there
// is no order between producers. It is unbounded. try_enqueue does not bound it well: one producer may take
// all blocks there are and keep them, and the others are refused for ever. So the size is looked at once in
// a while instead, and what is allocated while warming up is used again.
#include "../src/workload/adapter.hpp"

#include <concurrentqueue.h>

namespace ringproof::bench {
namespace {

template <class Payload>
struct moodycamel_mpsc {
    static constexpr bool one_producer = false;
    using payload = Payload;
    using queue_type = moodycamel::ConcurrentQueue<payload>;

    moodycamel_mpsc(std::size_t capacity, std::size_t producers)
        : most(capacity), queue(capacity, producers, 0) {}

    struct producer_handle {
        queue_type& queue;
        moodycamel::ProducerToken token;
        std::size_t most;
        std::size_t pushes = 0;
        template <class Fill>
        bool try_push(Fill&& fill) {
            if (pushes % 64 == 0 && queue.size_approx() >= most) return false;
            ++pushes;
            payload p;
            fill(p);
            return queue.enqueue(token, p);
        }
    };
    struct consumer_handle {
        queue_type& queue;
        moodycamel::ConsumerToken token;
        template <class Use>
        bool try_pop(Use&& use) {
            payload p;
            if (!queue.try_dequeue(token, p)) return false;
            use(p);
            return true;
        }
    };
    producer_handle producer() { return {queue, moodycamel::ProducerToken(queue), most}; }
    consumer_handle consumer() { return {queue, moodycamel::ConsumerToken(queue)}; }
    std::size_t most;
    queue_type queue;
};

} // namespace

void add_moodycamel_concurrentqueue(catalogue& out) {
    out.peers.push_back({"moodycamel_concurrentqueue", "one type", "per producer",
                         "grows (the adapter bounds it)", "by the caller", "no", "no",
                         "the item is lost, others go on"});
    add_mpsc<moodycamel_mpsc>(out, "moodycamel_concurrentqueue");
}

} // namespace ringproof::bench
