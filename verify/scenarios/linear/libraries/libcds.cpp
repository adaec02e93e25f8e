// SPDX-License-Identifier: Apache-2.0
// Structures of libcds 2.3.3, as their headers are. Hazard pointers stand in its compiled library, which the checker does not
// see: a queue of nodes that are never freed does not need them.
//
// Michael and Scott's queue: what B. Mezei found with Relinche, khizmax/libcds issue 186. A pop acquires the head and does not
// release it, so that the next pop is not ordered behind the push of the node that it finds there.

#include <ringproof/verify/linearizable.hpp>

#include <cds/container/vyukov_mpmc_cycle_queue.h>
#include <cds/container/weak_ringbuffer.h>
#include <cds/intrusive/msqueue.h>

#include <optional>

namespace {
struct fixed : cds::container::vyukov_queue::traits {
    using buffer = cds::opt::v::uninitialized_static_buffer<int, 2>;
};
using queue = cds::container::VyukovMPMCCycleQueue<int, fixed>;
struct small : cds::container::weak_ringbuffer::traits {
    using buffer = cds::opt::v::uninitialized_static_buffer<int, 2>;
};
using ring = cds::container::WeakRingBuffer<int, small>;

template <class Structure>
bool push(Structure& q, int value) {
    return q.enqueue(value);
}
template <class Structure>
bool pop(Structure& q, int& value) {
    return q.dequeue(value);
}
template <class Structure>
bool ring_push(Structure& q, int value) {
    return q.push(value);
}
template <class Structure>
bool ring_pop(Structure& q, int& value) {
    return q.pop(value);
}

/// What the queue asks of hazard pointers, where no node is freed: a guard reads, and that is all.
struct keeps_all {
    template <class T>
    using atomic_ref = std::atomic<T*>;
    struct Guard { // NOLINT(readability-identifier-naming): the library names it
        template <class T, class Function>
        T protect(const std::atomic<T>& from, Function) {
            return from.load(std::memory_order_acquire);
        }
    };
    template <std::size_t>
    struct GuardArray { // NOLINT(readability-identifier-naming)
        template <class T, class Function>
        T protect(std::size_t, const std::atomic<T>& from, Function) {
            return from.load(std::memory_order_acquire);
        }
    };
    template <class Disposer, class T>
    static void retire(T*) {}
};
struct item : cds::intrusive::msqueue::node<keeps_all> {
    explicit item(int v) : value(v) {}
    int value;
};
struct small_queue : cds::intrusive::msqueue::traits {
    using hook = cds::intrusive::msqueue::base_hook<cds::opt::gc<keeps_all>>;
    using back_off = cds::backoff::yield;
};
class list_queue {
  public:
    void push(int value) { items_.enqueue(*new item(value)); }
    std::optional<int> pop() {
        const item* const next = items_.dequeue();
        return next ? std::optional(next->value) : std::nullopt;
    }

  private:
    cds::intrusive::MSQueue<keeps_all, item, small_queue> items_;
};
} // namespace

LINEARIZABLE("libcds's MSQueue: a pop does not publish what it has seen", .models = {rc11},
             .expect = refuted) {
    object<list_queue>().op("push", &list_queue::push, fresh()).op("pop", &list_queue::pop);
}
LINEARIZABLE("libcds's MSQueue, where nothing is reordered", .models = {tso, sc}) {
    object<list_queue>().op("push", &list_queue::push, fresh()).op("pop", &list_queue::pop);
}

LINEARIZABLE("libcds's VyukovMPMCCycleQueue, which may say empty or full while others work",
             .models = {rc11, sc}) {
    object<queue>(2).op("push", &push<queue>, fresh()).may_fail().op("pop", &pop<queue>).may_fail();
}
LINEARIZABLE("libcds's VyukovMPMCCycleQueue, taken for linearizable", .models = {rc11}, .expect = refuted) {
    object<queue>(2).op("push", &push<queue>, fresh()).op("pop", &pop<queue>);
}
LINEARIZABLE("libcds's WeakRingBuffer, which may say empty or full while the other side works",
             .models = {rc11, sc}, .calls = 3) {
    object<ring>(2)
        .op("push", &ring_push<ring>, fresh())
        .one_thread()
        .may_fail()
        .op("pop", &ring_pop<ring>)
        .one_thread()
        .may_fail();
}
LINEARIZABLE("libcds's WeakRingBuffer, taken for linearizable", .models = {rc11}, .calls = 3,
             .expect = refuted) {
    object<ring>(2)
        .op("push", &ring_push<ring>, fresh())
        .one_thread()
        .op("pop", &ring_pop<ring>)
        .one_thread();
}
