// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <optional>

namespace linear {

using std::memory_order;

/// Michael and Scott's queue (PODC 1996); nodes live as long as the program.
/// @tparam TakesAtOnce whether the head is exchanged where it was seen, or overwritten
template <bool TakesAtOnce = true>
class michael_scott_queue {
  public:
    void push(int value) {
        node* const fresh = new node{value, {nullptr}};
        for (;;) {
            node* last = tail_.load(memory_order::acquire);
            node* next = last->next.load(memory_order::acquire);
            if (next != nullptr) {
                tail_.compare_exchange_strong(last, next, memory_order::release, memory_order::relaxed);
            } else if (last->next.compare_exchange_strong(next, fresh, memory_order::release,
                                                          memory_order::relaxed)) {
                tail_.compare_exchange_strong(last, fresh, memory_order::release, memory_order::relaxed);
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
                tail_.compare_exchange_strong(last, next, memory_order::release, memory_order::relaxed);
                continue;
            }
            const int value = next->value;
            if (TakesAtOnce) {
                if (head_.compare_exchange_strong(first, next, memory_order::acq_rel, memory_order::relaxed))
                    return value;
            } else {
                head_.store(next, memory_order::release);
                return value;
            }
        }
    }

  private:
    struct node {
        int value;
        std::atomic<node*> next;
    };
    node* const dummy_ = new node{0, {nullptr}};
    std::atomic<node*> head_{dummy_}, tail_{dummy_};
};

} // namespace linear
