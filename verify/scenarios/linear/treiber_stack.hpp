// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <optional>

namespace linear_scenarios {

using std::memory_order;

/// Treiber's stack (IBM RJ 5118, 1986); nodes live as long as the program. @tparam … whether the head is exchanged where
/// it was seen, or overwritten
template <bool PushesAtOnce = true, bool PopsAtOnce = true>
class treiber_stack {
  public:
    void push(int value) {
        node* const fresh = new node{value, head_.load(memory_order::relaxed)};
        if (!PushesAtOnce) return head_.store(fresh, memory_order::release);
        while (!head_.compare_exchange_strong(fresh->next, fresh, memory_order::release,
                                              memory_order::relaxed)) {
        }
    }
    std::optional<int> pop() {
        node* top = head_.load(memory_order::acquire);
        if (!PopsAtOnce && top != nullptr) {
            head_.store(top->next, memory_order::release);
            return top->value;
        }
        while (top != nullptr &&
               !head_.compare_exchange_strong(top, top->next, memory_order::acquire, memory_order::acquire)) {
        }
        if (top == nullptr) return std::nullopt;
        return top->value;
    }

  private:
    struct node {
        int value;
        node* next;
    };
    std::atomic<node*> head_{nullptr};
};

} // namespace linear_scenarios
