// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cassert>
#include <thread>
#ifndef RELEASE
#define RELEASE std::memory_order_release
#endif

std::atomic<int> taken;
int count;

static void add() {
    while (taken.exchange(1, std::memory_order_acquire))
        while (taken.load(std::memory_order_relaxed)) {
        }
    count = count + 1;
    taken.store(0, RELEASE);
}

int main() {
    std::thread a(add), b(add), c(add);
    a.join(), b.join(), c.join();
    assert(count == 3);
}
