// SPDX-License-Identifier: Apache-2.0
// Treiber's stack: a list whose head is exchanged by compare-and-swap.
// R. K. Treiber: Systems programming: coping with parallelism. IBM RJ 5118, 1986.
//
// Pushing is easy. Popping reads the next pointer of a node that somebody else may have taken meanwhile, and that is
// where three kinds of bug live: the node is freed (use after free), or it is back with another neighbour and the
// compare-and-swap does not notice (ABA), or its contents were never published.

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <cstdint>
#include <thread>

namespace {

using std::memory_order;

/// Nodes live as long as the stack.
template <memory_order Publish, bool FreesAtOnce = false>
class treiber_stack {
  public:
    void push(int value) {
        node* const fresh = new node{value, head_.load(memory_order::relaxed)};
        while (!head_.compare_exchange_weak(fresh->next, fresh, Publish, memory_order::relaxed)) {
        }
    }
    /// @return 0 when there is nothing
    int pop() {
        node* top = head_.load(memory_order::acquire);
        while (top != nullptr &&
               !head_.compare_exchange_weak(top, top->next, memory_order::acquire, memory_order::acquire)) {
        }
        if (top == nullptr) return 0;
        const int value = top->value;
        if (FreesAtOnce) delete top;
        return value;
    }

  private:
    struct node {
        int value;
        node* next;
    };
    std::atomic<node*> head_{nullptr};
};

template <class Stack>
void what_is_pushed_is_popped_once() {
    Stack stack;
    int popped[2] = {0, 0};
    std::thread other([&] {
        stack.push(1);
        popped[0] = stack.pop();
    });
    stack.push(2);
    popped[1] = stack.pop();
    other.join();
    VERIFY_THAT(popped[0] + popped[1] == 3 && popped[0] * popped[1] == 2);
    VERIFY_THAT(stack.pop() == 0);
}

/// A stack of places in an array, which are used again, as a free list is. The head carries a number that each pop
/// counts up, so that it is never the same twice: IBM's remedy (System/370 Principles of Operation, appendix A).
template <bool Counted>
class free_list {
  public:
    void push(std::uint32_t place) {
        std::uint64_t head = head_.load(memory_order::relaxed);
        // Strong, for a spurious failure stores once more, which others could read: the checker explores each.
        do {
            next_[place].store(static_cast<std::uint32_t>(head), memory_order::relaxed);
        } while (!head_.compare_exchange_strong(head, head >> 32 << 32 | place, memory_order::release,
                                                memory_order::relaxed));
    }
    /// @return 0 when there is nothing; places are 1 and up
    std::uint32_t pop() {
        std::uint64_t head = head_.load(memory_order::acquire), rest = 0;
        do {
            const auto place = static_cast<std::uint32_t>(head);
            if (place == 0) return 0;
            rest = ((head >> 32) + Counted) << 32 | next_[place].load(memory_order::relaxed);
        } while (!head_.compare_exchange_weak(head, rest, memory_order::acquire, memory_order::acquire));
        return static_cast<std::uint32_t>(head);
    }

  private:
    std::atomic<std::uint32_t> next_[3]{};
    std::atomic<std::uint64_t> head_{0};
};

/// One thread takes a place. The other takes both and gives the first back: the head is what it was, the place below
/// it is not.
template <class List>
void no_place_is_taken_twice() {
    List list;
    list.push(2);
    list.push(1);
    std::uint32_t taken = 0;
    std::thread taker([&] { taken = list.pop(); });
    const std::uint32_t first = list.pop(), second = list.pop();
    if (first != 0) list.push(first);
    taker.join();
    if (taken != 0) VERIFY_THAT(taken != second);
    if (const std::uint32_t left = list.pop(); left != 0) VERIFY_THAT(left != second && left != taken);
}

} // namespace

VERIFY("Treiber's stack: what is pushed is popped once", .models = {rc11, tso, sc}) {
    what_is_pushed_is_popped_once<treiber_stack<memory_order::release>>();
}
VERIFY("Treiber's stack as a free list, with a count beside the head", .models = {rc11, tso, sc}) {
    no_place_is_taken_twice<free_list<true>>();
}
VERIFY("Treiber's stack, mutant: pushed relaxed", .expect = refuted) {
    what_is_pushed_is_popped_once<treiber_stack<memory_order::relaxed>>();
}
VERIFY("Treiber's stack, mutant: a popped node is freed at once", .models = {rc11, tso, sc},
       .expect = refuted) {
    what_is_pushed_is_popped_once<treiber_stack<memory_order::release, true>>();
}
VERIFY("Treiber's stack as a free list, mutant: no count beside the head (ABA)", .models = {rc11, tso, sc},
       .expect = refuted) {
    no_place_is_taken_twice<free_list<false>>();
}
