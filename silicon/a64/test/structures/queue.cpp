// SPDX-License-Identifier: Apache-2.0
// Michael and Scott's queue, each attempt made once; an enqueuer that finds the tail behind moves it first.
#include "plan.hpp"

#include <atomic>
#ifndef RELEASE
#define RELEASE std::memory_order_release
#endif

struct node {
    std::int64_t item;
    std::atomic<node*> next;
};
node dummy, nodes[3][4];
std::atomic<node*> head, tail;

static node* last() {
    for (;;) {
        node* const n = tail.load(std::memory_order_acquire);
        node* const next = n->next.load(std::memory_order_acquire);
        if (next == nullptr) return n;
        tail.store(next, std::memory_order_release);
    }
}
static bool put(node& n, std::int64_t item) {
    n.item = item;
    n.next.store(nullptr, std::memory_order_relaxed);
    node *const at = last(), *none = nullptr;
    if (!at->next.compare_exchange_strong(none, &n, RELEASE, std::memory_order_relaxed)) return false;
    tail.store(&n, std::memory_order_release);
    return true;
}
static bool take(std::int64_t& item) {
    node* h = head.load(std::memory_order_acquire);
    node* const n = h->next.load(std::memory_order_acquire);
    if (n == nullptr ||
        !head.compare_exchange_strong(h, n, std::memory_order_release, std::memory_order_relaxed))
        return false;
    item = n->item;
    return true;
}

int main() {
    head.store(&dummy, std::memory_order_relaxed);
    tail.store(&dummy, std::memory_order_relaxed);
    run_three([](int thread) {
        return follow(
            thread, [&](std::int64_t item, int number) { return put(nodes[thread][number], item); }, take);
    });
}
