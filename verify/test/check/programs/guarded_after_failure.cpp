// SPDX-License-Identifier: Apache-2.0
// A loop of which the second iteration, behind a spurious failure, does less than the first: it guards the head already.
#include <atomic>
#include <cassert>
std::atomic<int> head{1}, era{1}, slot{0}, nxt{2}, tail{2};
struct guard {
    int h = 0;
    int era = 0;
};
static int count = 0; // guards that share the slot
static void acquire(guard& g, std::atomic<int>& from) {
    for (;;) {
        const int v = from.load(std::memory_order_acquire);
        const int e = era.load(std::memory_order_relaxed);
        if (g.era == e) {
            g.h = v;
            return;
        }
        if (slot.load(std::memory_order_relaxed) == e) {
            ++count;
            g.era = e;
            g.h = v;
            return;
        }
        slot.store(e, std::memory_order_release);
        ++count;
        g.era = e;
        std::atomic_thread_fence(std::memory_order_seq_cst);
    }
}
static void reset(guard& g) {
    if (g.era && slot.load(std::memory_order_relaxed) && --count == 0)
        slot.store(0, std::memory_order_release);
    g.era = 0;
}
int main() {
    guard g;
    for (;;) {
        acquire(g, head);
        guard n;
        acquire(n, nxt);
        if (head.load(std::memory_order_relaxed) != g.h) {
            reset(n);
            continue;
        }
        int t = tail.load(std::memory_order_relaxed);
        if (t == g.h) {
            reset(n);
            continue;
        }
        int x = g.h;
        if (head.compare_exchange_weak(x, n.h, std::memory_order_release, std::memory_order_relaxed)) {
            reset(n);
            break;
        }
        reset(n);
    }
    reset(g);
    assert(head == 2);
}
