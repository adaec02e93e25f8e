// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> total;

static void add(int n) {
#if defined BROKEN
    total.store(total.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
#elif defined EXCHANGE
    int old = total.load(std::memory_order_relaxed);
    while (!total.compare_exchange_weak(old, old + n, std::memory_order_relaxed)) {
    }
#else
    total.fetch_add(n, std::memory_order_relaxed);
#endif
}

int main() {
    std::thread one([] { add(1); }), two([] { add(2); });
    add(4);
    one.join();
    two.join();
    assert(total == 7);
}
