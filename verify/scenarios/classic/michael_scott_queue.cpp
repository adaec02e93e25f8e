// SPDX-License-Identifier: Apache-2.0
// Michael and Scott's queue: a list with a dummy at its head; tail may lag behind by one, and whoever sees it helps.
// M. M. Michael, M. L. Scott: Simple, fast, and practical non-blocking and blocking concurrent queue algorithms.
// PODC 1996.

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <thread>

namespace {

using std::memory_order;

/// @tparam Link the order in which a node is linked in
/// @tparam FreesAtOnce whether the old dummy is freed by whoever passes it; somebody else may still be at it. The
///         paper keeps nodes in a free list and counts its pointers; hazard pointers and epochs came later.
template <memory_order Link, bool FreesAtOnce = false>
class michael_scott_queue {
  public:
    void push(int value) {
        node* const fresh = new node{value, {nullptr}};
        for (;;) {
            node* last = tail_.load(memory_order::acquire);
            node* next = last->next.load(memory_order::acquire);
            if (next != nullptr) {
                tail_.compare_exchange_strong(last, next, memory_order::release, memory_order::relaxed);
            } else if (last->next.compare_exchange_strong(next, fresh, Link, memory_order::relaxed)) {
                tail_.compare_exchange_strong(last, fresh, Link, memory_order::relaxed);
                return;
            }
        }
    }
    /// @return 0 when there is nothing
    int pop() {
        for (;;) {
            node* first = head_.load(memory_order::acquire);
            node* last = tail_.load(memory_order::acquire);
            node* const next = first->next.load(memory_order::acquire);
            if (next == nullptr) return 0;
            if (first == last) {
                tail_.compare_exchange_strong(last, next, memory_order::release, memory_order::relaxed);
            } else if (const int value = next->value; head_.compare_exchange_strong(
                           first, next, memory_order::acq_rel, memory_order::relaxed)) {
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
    node* const dummy_ = new node{0, {nullptr}};
    std::atomic<node*> head_{dummy_}, tail_{dummy_};
};

/// Two threads push, and pop what is there.
template <class Queue>
void what_is_pushed_is_popped_once_and_in_order() {
    Queue queue;
    int popped = 0;
    std::thread other([&] {
        queue.push(1);
        popped = queue.pop();
    });
    queue.push(2);
    other.join();
    VERIFY_THAT(popped == 1 || popped == 2);
    VERIFY_THAT(queue.pop() == 3 - popped);
    VERIFY_THAT(queue.pop() == 0);
}

template <class Queue>
void two_take_what_two_pushed() {
    Queue queue;
    queue.push(1);
    queue.push(2);
    int popped = 0;
    std::thread other([&] { popped = queue.pop(); });
    const int here = queue.pop();
    other.join();
    VERIFY_THAT(popped + here == 3 && popped != here);
}

} // namespace

VERIFY("Michael and Scott's queue: two push, one pops", .models = {rc11, tso, sc}) {
    what_is_pushed_is_popped_once_and_in_order<michael_scott_queue<memory_order::release>>();
}
VERIFY("Michael and Scott's queue: two pop", .models = {rc11, tso, sc}) {
    two_take_what_two_pushed<michael_scott_queue<memory_order::release>>();
}
VERIFY("Michael and Scott's queue, mutant: linked in relaxed", .expect = refuted) {
    what_is_pushed_is_popped_once_and_in_order<michael_scott_queue<memory_order::relaxed>>();
}
VERIFY("Michael and Scott's queue, mutant: the old dummy is freed at once", .models = {rc11, tso, sc},
       .expect = refuted) {
    two_take_what_two_pushed<michael_scott_queue<memory_order::release, true>>();
}
