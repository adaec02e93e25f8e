// SPDX-License-Identifier: Apache-2.0
// What ends early: waits on a condition variable, and weak compare-exchanges.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#ifndef EXCHANGE
#define EXCHANGE compare_exchange_weak
#endif

#if defined(WAITS)
std::mutex m;
std::condition_variable changed;
int message;

int main() {
    std::thread sender([] {
        const std::lock_guard<std::mutex> held(m);
        message = 42;
        changed.notify_one();
    });
    {
        std::unique_lock<std::mutex> held(m);
#if defined(COUNTS)
        int rounds = 0;
        for (; message == 0; ++rounds) changed.wait(held);
        assert(rounds >= 0 && rounds < COUNTS);
#elif defined(ONCE)
        if (message == 0) changed.wait(held);
#else
        while (message == 0) changed.wait(held);
#endif
        assert(message == 42);
    }
    sender.join();
}
#else
std::atomic<int> x;

int main() {
    std::thread other([] { x.load(std::memory_order_relaxed); });
    int expected = 0;
#if defined(ATTEMPTS)
    int attempts = 0, old, fails;
    __asm__ volatile("1: ldxr %w0, [%3]\n\tadd %w1, %w1, #1\n\tstxr %w2, %w0, [%3]\n\tcbnz %w2, 1b"
                     : "=&r"(old), "+r"(attempts), "=&r"(fails)
                     : "r"(&x)
                     : "memory");
    assert(attempts == 1);
#elif defined(LOOP)
    while (!x.EXCHANGE(expected, 1)) {
    }
    assert(expected == 0);
#else
    assert(x.EXCHANGE(expected, 1));
#endif
    other.join();
}
#endif
