// SPDX-License-Identifier: Apache-2.0
// moodycamel::ConcurrentQueue with tokens, its fastest form: a sub-queue for each producer, so that there
// is no order between producers. try_enqueue never allocates.
#include "../src/workload/adapter.hpp"

#include <concurrentqueue/concurrentqueue.h>

namespace ringproof::bench {
namespace {

template <class Payload>
struct moodycamel_mpsc {
    static constexpr bool one_producer = false;
    using payload = Payload;
    using queue_type = moodycamel::ConcurrentQueue<payload>;

    // As many whole blocks as each producer's share of the capacity takes.
    moodycamel_mpsc(std::size_t capacity, std::size_t producers) : queue(capacity, producers, 0) {}

    struct producer_handle {
        queue_type& queue;
        moodycamel::ProducerToken token;
        template <class Fill>
        bool try_push(Fill&& fill) {
            payload p;
            fill(p);
            return queue.try_enqueue(token, p);
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
    producer_handle producer() { return {queue, moodycamel::ProducerToken(queue)}; }
    consumer_handle consumer() { return {queue, moodycamel::ConsumerToken(queue)}; }
    queue_type queue;
};

} // namespace

void add_moodycamel_concurrentqueue(catalogue& out) {
    add_mpsc<moodycamel_mpsc<item>, moodycamel_mpsc<record<64>>>(out, "moodycamel_concurrentqueue");
}

} // namespace ringproof::bench
