// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <cassert>
#include <thread>
#ifndef RELEASE
#define RELEASE std::memory_order_release
#endif

std::atomic<int> next, now;
int count;

static void add() {
    const int mine = next.fetch_add(1, std::memory_order_relaxed);
    while (now.load(std::memory_order_acquire) != mine) {
    }
    count = count + 1;
    now.store(mine + 1, RELEASE);
}

int main() {
    std::thread a(add), b(add), c(add);
    a.join(), b.join(), c.join();
    assert(count == 3);
}
