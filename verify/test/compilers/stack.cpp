// SPDX-License-Identifier: Apache-2.0
// Treiber's stack: two threads push, one pops until it has both.
#include <atomic>
#include <cassert>
#include <thread>

struct node {
    int value;
    node* next;
};
std::atomic<node*> top{nullptr};

void push(node* n) {
    n->next = top.load(std::memory_order_relaxed);
    while (!top.compare_exchange_strong(n->next, n, std::memory_order_release, std::memory_order_relaxed)) {
    }
}

node* pop() {
    node* n = top.load(std::memory_order_acquire);
    while (n && !top.compare_exchange_strong(n, n->next, std::memory_order_acquire)) {
    }
    return n;
}

int main() {
    node a{1, nullptr}, b{2, nullptr};
    std::thread first([&] { push(&a); }), second([&] { push(&b); });
    int sum = 0;
    for (int i = 0; i < 2; ++i) {
        node* n = nullptr;
        while (!(n = pop())) std::this_thread::yield();
        sum += n->value;
    }
    assert(sum == 3);
    first.join();
    second.join();
}
