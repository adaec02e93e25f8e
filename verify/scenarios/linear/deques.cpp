// SPDX-License-Identifier: Apache-2.0
// Chase and Lev's deque: its owner pushes and takes at one end, others steal at the other one.
// N. M. Lê, A. Pop, A. Cohen, F. Zappa Nardelli: Correct and efficient work-stealing for weak memory models. PPoPP 2013.

#include <ringproof/verify/linearizable.hpp>

#include <atomic>
#include <optional>

namespace {

using std::memory_order;

/// Without growing. @tparam TakeFence whether the owner's fence is there @tparam StealFence the thieves'
/// @tparam PushFence whether a fence releases what was pushed, or the store behind it: a fence does so for the later stores of
/// `take()`, too
template <bool TakeFence = true, bool StealFence = true, bool PushFence = true>
class work_stealing_deque {
  public:
    void push(int item) {
        const long bottom = bottom_.load(memory_order::relaxed);
        items_[bottom % places].store(item, memory_order::relaxed);
        if (PushFence) std::atomic_thread_fence(memory_order::release);
        bottom_.store(bottom + 1, PushFence ? memory_order::relaxed : memory_order::release);
    }
    std::optional<int> take() {
        const long bottom = bottom_.load(memory_order::relaxed) - 1;
        bottom_.store(bottom, memory_order::relaxed);
        if (TakeFence) std::atomic_thread_fence(memory_order::seq_cst);
        long top = top_.load(memory_order::relaxed);
        std::optional<int> item;
        if (top <= bottom) {
            item = items_[bottom % places].load(memory_order::relaxed);
            if (top < bottom) return item;
            if (!top_.compare_exchange_strong(top, top + 1, memory_order::seq_cst, memory_order::relaxed))
                item = std::nullopt; // a thief was faster
        }
        bottom_.store(bottom + 1, memory_order::relaxed);
        return item;
    }
    std::optional<int> steal() {
        long top = top_.load(memory_order::acquire);
        if (StealFence) std::atomic_thread_fence(memory_order::seq_cst);
        const long bottom = bottom_.load(memory_order::acquire);
        if (top >= bottom) return std::nullopt;
        const int item = items_[top % places].load(memory_order::relaxed);
        if (!top_.compare_exchange_strong(top, top + 1, memory_order::seq_cst, memory_order::relaxed))
            return std::nullopt;
        return item;
    }

  private:
    static constexpr long places = 4;
    std::atomic<long> top_{0}, bottom_{0};
    std::atomic<int> items_[places] = {};
};

} // namespace

LINEARIZABLE("work-stealing deque, whose thieves may come in vain while others work", .models = {rc11, sc},
             .calls = 3, .synchronisations = 0) {
    using deque = work_stealing_deque<>;
    object<deque>()
        .op("push", &deque::push, fresh())
        .one_thread()
        .op("take", &deque::take)
        .same_thread()
        .op("steal", &deque::steal)
        .may_fail();
}
LINEARIZABLE("work-stealing deque, mutant: its owner's fence is missing", .models = {rc11, tso}, .calls = 3,
             .expect = refuted) {
    using deque = work_stealing_deque<false>;
    object<deque>()
        .op("push", &deque::push, fresh())
        .one_thread()
        .op("take", &deque::take)
        .same_thread()
        .op("steal", &deque::steal)
        .may_fail();
}
LINEARIZABLE("work-stealing deque, mutant: the thieves' fence is missing", .models = {rc11}, .calls = 3,
             .expect = refuted) {
    using deque = work_stealing_deque<true, false>;
    object<deque>()
        .op("push", &deque::push, fresh())
        .one_thread()
        .op("take", &deque::take)
        .same_thread()
        .op("steal", &deque::steal)
        .may_fail();
}
LINEARIZABLE("work-stealing deque, mutant: a store releases, and no fence", .models = {rc11}, .calls = 3,
             .synchronisations = 0, .expect = refuted) {
    using deque = work_stealing_deque<true, true, false>;
    object<deque>()
        .op("push", &deque::push, fresh())
        .one_thread()
        .op("take", &deque::take)
        .same_thread()
        .op("steal", &deque::steal)
        .may_fail();
}
LINEARIZABLE("work-stealing deque is lock-free", .models = {rc11, sc}, .promise = lock_free) {
    using deque = work_stealing_deque<>;
    object<deque>()
        .op("push", &deque::push, fresh())
        .one_thread()
        .op("take", &deque::take)
        .same_thread()
        .op("steal", &deque::steal);
}
