// SPDX-License-Identifier: Apache-2.0
// Stacks, each beside one in which a step is missing.

#include <ringproof/verify/linearizable.hpp>
#include <ringproof/verify/specifications.hpp>

#include <atomic>
#include <optional>

namespace {

using std::memory_order;
namespace spec = ringproof::verify::linear::spec;

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

} // namespace

LINEARIZABLE("Treiber's stack", .models = {rc11, tso, sc}) {
    using stack = treiber_stack<>;
    object<stack>().op("push", &stack::push, fresh()).op("pop", &stack::pop);
}
LINEARIZABLE("Treiber's stack, compared with a specification", .models = {rc11, sc}) {
    using stack = treiber_stack<>;
    object<stack>()
        .like<spec::lifo<>>()
        .op("push", &stack::push, &spec::lifo<>::push, fresh())
        .op("pop", &stack::pop, &spec::lifo<>::pop);
}
LINEARIZABLE("Treiber's stack, mutant: a push overwrites the head", .models = {rc11, sc}, .expect = refuted) {
    using stack = treiber_stack<false>;
    object<stack>().op("push", &stack::push, fresh()).op("pop", &stack::pop);
}
LINEARIZABLE("Treiber's stack, mutant: a pop overwrites the head", .models = {rc11, sc}, .expect = refuted) {
    using stack = treiber_stack<true, false>;
    object<stack>().op("push", &stack::push, fresh()).op("pop", &stack::pop);
}
