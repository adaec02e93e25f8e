// SPDX-License-Identifier: Apache-2.0
// A seqlock: two writers that take it by compare-exchange, and a reader that tries again.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<unsigned> sequence{0};
std::atomic<int> a{0}, b{0};

void write(int value) {
    unsigned s = sequence.load(std::memory_order_relaxed);
    while ((s & 1) != 0 || !sequence.compare_exchange_weak(s, s + 1, std::memory_order_acquire))
        s = sequence.load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    a.store(value, std::memory_order_relaxed);
    b.store(value, std::memory_order_relaxed);
    sequence.store(s + 2, std::memory_order_release);
}

int main() {
    std::thread first([] { write(1); }), second([] { write(2); });
    int x = 0, y = 0;
    while (true) {
        const unsigned before = sequence.load(std::memory_order_acquire);
        if ((before & 1) != 0) continue;
        x = a.load(std::memory_order_relaxed);
        y = b.load(std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_acquire);
        if (sequence.load(std::memory_order_relaxed) == before) break;
    }
    assert(x == y);
    first.join();
    second.join();
}
