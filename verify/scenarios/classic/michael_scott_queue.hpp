// SPDX-License-Identifier: Apache-2.0
#pragma once
// Michael and Scott's queue: a list with a dummy at its head; tail may lag behind by one, and whoever sees it helps.
// M. M. Michael, M. L. Scott: Simple, fast, and practical non-blocking and blocking concurrent queue algorithms.
// PODC 1996.

#include <atomic>
#include <optional>
#include <thread>

namespace classic {

/// @tparam Link the order in which a node is linked in
/// @tparam FreesAtOnce whether the old dummy is freed by whoever passes it; somebody else may still be at it. The
///         paper keeps nodes in a free list and counts its pointers; hazard pointers and epochs came later. Otherwise nodes
///         live as long as the program
/// @tparam TakesAtOnce whether the head is exchanged where it was seen, or overwritten
/// @tparam Helps whether a lagging tail is moved by who sees it, or waited for
template <std::memory_order Link = std::memory_order::release, bool FreesAtOnce = false,
          bool TakesAtOnce = true, bool Helps = true>
class michael_scott_queue {
    using memory_order = std::memory_order;

  public:
    void push(int value) {
        node* const fresh = new node{value, {nullptr}};
        for (;;) {
            node* last = tail_.load(memory_order::acquire);
            node* next = last->next.load(memory_order::acquire);
            if (next != nullptr) {
                if constexpr (Helps)
                    tail_.compare_exchange_strong(last, next, memory_order::release, memory_order::relaxed);
                else
                    std::this_thread::yield();
            } else if (last->next.compare_exchange_strong(next, fresh, Link, memory_order::relaxed)) {
                tail_.compare_exchange_strong(last, fresh, Link, memory_order::relaxed);
                return;
            }
        }
    }
    std::optional<int> pop() {
        for (;;) {
            node* first = head_.load(memory_order::acquire);
            node* last = tail_.load(memory_order::acquire);
            node* const next = first->next.load(memory_order::acquire);
            if (next == nullptr) return std::nullopt;
            if (first == last) {
                if constexpr (Helps)
                    tail_.compare_exchange_strong(last, next, memory_order::release, memory_order::relaxed);
                else
                    std::this_thread::yield();
            } else if (const int value = next->value; takes(first, next)) {
                if (FreesAtOnce) delete first;
                return value;
            }
        }
    }

  private:
    struct node {
        int value;
        std::atomic<node*> next;
    };
    bool takes(node* first, node* next) {
        if (TakesAtOnce)
            return head_.compare_exchange_strong(first, next, memory_order::acq_rel, memory_order::relaxed);
        head_.store(next, memory_order::release);
        return true;
    }

    node* const dummy_ = new node{0, {nullptr}};
    std::atomic<node*> head_{dummy_}, tail_{dummy_};
};

} // namespace classic
