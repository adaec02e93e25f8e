// SPDX-License-Identifier: Apache-2.0
// liburcu's wfcqueue: a linked list with a wait-free push. It carries nodes, which somebody must allocate and
// free, and has no bound; the adapter does both as an application would (new, delete, and a look at the number
// under way once in a while).
#include "../src/workload/adapter.hpp"

#define URCU_API_MAP
#include <urcu/wfcqueue.h>

namespace ringproof::bench {
namespace {

template <class Payload>
struct wfcqueue {
    static constexpr bool one_producer = false;
    using payload = Payload;
    struct node {
        cds_wfcq_node link;
        payload value;
    };

    wfcqueue(std::size_t capacity, std::size_t producers) : most(capacity / producers) {
        cds_wfcq_init(&head, &tail);
    }
    ~wfcqueue() {
        while (cds_wfcq_node* n = __cds_wfcq_dequeue_blocking(cds_wfcq_head_cast(&head), &tail))
            delete reinterpret_cast<node*>(n);
        cds_wfcq_destroy(&head, &tail);
    }
    wfcqueue(const wfcqueue&) = delete;
    wfcqueue& operator=(const wfcqueue&) = delete;

    struct producer_handle {
        wfcqueue& queue;
        std::uint64_t pushes = 0;
        template <class Fill>
        bool try_push(Fill&& fill) {
            if (pushes % 64 == 0) {
                queue.pushed.fetch_add(pushes - told, std::memory_order_relaxed);
                told = pushes;
                if (queue.pushed.load(std::memory_order_relaxed) -
                        queue.popped.load(std::memory_order_relaxed) >=
                    queue.most)
                    return false;
            }
            auto* const n = new node;
            cds_wfcq_node_init(&n->link);
            fill(n->value);
            cds_wfcq_enqueue(cds_wfcq_head_cast(&queue.head), &queue.tail, &n->link);
            ++pushes;
            return true;
        }
        std::uint64_t told = 0;
    };
    template <class Use>
    bool try_pop(Use&& use) {
        cds_wfcq_node* const n = __cds_wfcq_dequeue_nonblocking(cds_wfcq_head_cast(&head), &tail);
        if (n == nullptr || n == CDS_WFCQ_WOULDBLOCK) return false;
        auto* const whole = reinterpret_cast<node*>(n); // the link is its first member
        use(whole->value);
        delete whole;
        if (++count % 64 == 0) popped.store(count, std::memory_order_relaxed);
        return true;
    }

    producer_handle producer() { return {*this}; }
    wfcqueue& consumer() { return *this; }

    alignas(128) cds_wfcq_head head;
    alignas(128) cds_wfcq_tail tail;
    std::uint64_t most;
    alignas(128) std::atomic<std::uint64_t> pushed{0};
    alignas(128) std::atomic<std::uint64_t> popped{0};
    std::uint64_t count = 0;
};

} // namespace

void add_urcu_wfcqueue(catalogue& out) {
    out.peers.push_back({"urcu_wfcqueue", "nodes of the caller", "total", "grows (the adapter bounds it)",
                         "nothing is", "no", "no (pointers)",
                         "between exchange and link: the consumer waits for ever"});
    add_mpsc<wfcqueue>(out, "urcu_wfcqueue");
}

} // namespace ringproof::bench
