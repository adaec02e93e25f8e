// SPDX-License-Identifier: Apache-2.0
// Treiber's stack, each attempt made once.
#include "plan.hpp"

#include <atomic>
#ifndef RELEASE
#define RELEASE std::memory_order_release
#endif

struct node {
    std::int64_t item;
    node* below;
};
std::atomic<node*> top;
node nodes[3][4];

static bool push(node& n, std::int64_t item) {
    n.item = item;
    n.below = top.load(std::memory_order_relaxed);
    return top.compare_exchange_strong(n.below, &n, RELEASE, std::memory_order_relaxed);
}
static bool pop(std::int64_t& item) {
    node* n = top.load(std::memory_order_acquire);
    if (n == nullptr) return false;
    item = n->item;
    return top.compare_exchange_strong(n, n->below, std::memory_order_release, std::memory_order_relaxed);
}

int main() {
    run_three([](int thread) {
        return follow(
            thread, [&](std::int64_t item, int number) { return push(nodes[thread][number], item); }, pop);
    });
}
