// SPDX-License-Identifier: Apache-2.0
// Vyukov's queue of many producers: a consumer that polls while a producer is between exchange and link.
#include <atomic>
#include <cassert>
#include <thread>

struct node {
    std::atomic<node*> next{nullptr};
    int value = 0;
};

class queue {
  public:
    void push(node* n) {
        node* const before = head_.exchange(n, std::memory_order_acq_rel);
        before->next.store(n, std::memory_order_release);
    }
    node* pop() {
        node* const next = tail_->next.load(std::memory_order_acquire);
        if (!next) return nullptr;
        tail_ = next;
        return next;
    }

  private:
    node first_;
    std::atomic<node*> head_{&first_};
    node* tail_ = &first_;
};

int main() {
    queue q;
    node a, b, c;
    a.value = 1, b.value = 2, c.value = 4;
    std::thread first([&] { q.push(&a); }), second([&] { q.push(&b), q.push(&c); });
    int sum = 0;
    for (int i = 0; i < 3; ++i) {
        node* n = nullptr;
        while (!(n = q.pop())) std::this_thread::yield();
        sum = sum * 10 + n->value;
    }
    assert(sum == 124 || sum == 214 || sum == 241);
    first.join();
    second.join();
}
