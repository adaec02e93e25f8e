// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cassert>
#include <thread>
#ifndef RELEASE
#define RELEASE std::memory_order_release
#endif

struct node {
    int value;
    node* below;
};
std::atomic<node*> top;

static void push(node* n) {
    node* t = top.load(std::memory_order_relaxed);
    do n->below = t;
    while (!top.compare_exchange_weak(t, n, RELEASE, std::memory_order_relaxed));
}
static node* pop() {
    node* t = top.load(std::memory_order_acquire);
    while (t && !top.compare_exchange_weak(t, t->below, std::memory_order_acquire)) {
    }
    return t;
}

static void push_and_pop(node* mine) {
    mine->value = 42;
    push(mine);
    const node* const got = pop();
    assert(!got || got->value == 42);
}

int main() {
    node a{}, b{};
    std::thread one([&] { push_and_pop(&a); }), two([&] { push_and_pop(&b); });
    one.join(), two.join();
}
