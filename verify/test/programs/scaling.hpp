// SPDX-License-Identifier: Apache-2.0
#pragma once
// Programs with a few hundred to a few thousand executions, blocked ones and revisits among them.

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace programs {

inline std::atomic<int> x{0}, y{0};
inline std::mutex lock;

/// Every order of n increments: n!. With a number of its own no thread is like another, and what each returns is looked at.
inline void increments_of(std::size_t n) {
    std::vector<std::thread> threads(n);
    for (std::size_t i = 0; i < n; ++i)
        threads[i] = std::thread(
            [](std::size_t) {
                if (x.fetch_add(1, std::memory_order_relaxed) < 0) y.store(1, std::memory_order_relaxed);
            },
            i);
    for (std::thread& t : threads) t.join();
}
inline void increments() { increments_of(6); }

/// n threads, in each order. @return their numbers in that order, as hexadecimal digits
inline int in_turn(int n) {
    std::vector<std::thread> threads;
    threads.reserve(
        static_cast<std::size_t>(n)); // memory that is freed could come again, in executions of its own
    int turns[8] = {};
    for (int i = 0; i < n; ++i)
        threads.emplace_back([&turns, i] { turns[i] = x.fetch_add(1, std::memory_order_relaxed); });
    for (std::thread& t : threads) t.join();
    int order = 0;
    for (int i = 0; i < n; ++i) order += (i + 1) << 4 * (n - 1 - turns[i]);
    return order;
}

/// Keeps the address of memory that it frees, and takes some more: whether an address comes again has to be looked at
/// then, from the beginning of the search.
inline void frees_and_takes_again() {
    static std::atomic<int*> kept;
    int* volatile freed = new int(1);
    kept.store(freed, std::memory_order_relaxed);
    delete freed;
    int* volatile taken = new int(2);
    delete taken;
}

/// Readers, each before or behind one write. A read in front of it lets it come last: it has a revisit for each. 2^n.
inline void readers_of(std::size_t n) {
    std::vector<std::thread> threads(n + 1);
    for (std::thread& t : threads) {
        if (&t != &threads.back())
            t = std::thread([] { x.load(std::memory_order_relaxed); });
        else
            t = std::thread(
                [] { x.store(y.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); });
    }
    for (std::thread& t : threads) t.join();
}
inline void readers() { readers_of(8); }

/// Every order of two writes.
inline void two_writes() {
    std::thread other([] { x.store(1, std::memory_order_relaxed); });
    x.store(2, std::memory_order_relaxed);
    other.join();
}

/// Different threads in different executions: their numbers depend on what was met before.
inline void threads_of_threads() {
    std::thread first([] {
        if (x.load(std::memory_order_relaxed) > 0) {
            std::thread child([] { y.fetch_add(1, std::memory_order_relaxed); });
            child.join();
        }
        y.fetch_add(1, std::memory_order_relaxed);
    });
    std::thread second([] {
        if (y.load(std::memory_order_relaxed) > 0) {
            std::thread child([] { x.fetch_add(1, std::memory_order_relaxed); });
            child.join();
        }
        x.fetch_add(1, std::memory_order_relaxed);
    });
    x.fetch_add(1, std::memory_order_relaxed);
    first.join();
    second.join();
}

/// Locks and a waiting loop: executions that block, and revisits.
inline void locks_and_waits() {
    std::thread waiting([] {
        while (x.load(std::memory_order_acquire) < 2) ringproof::verify::pause();
        y.store(1, std::memory_order_relaxed);
    });
    std::thread threads[3];
    for (std::thread& t : threads)
        t = std::thread([] {
            const std::lock_guard hold(lock);
            x.store(x.load(std::memory_order_relaxed) + 1, std::memory_order_release);
            y.load(std::memory_order_relaxed);
        });
    for (std::thread& t : threads) t.join();
    waiting.join();
}

/// Fails in one of many executions.
inline void rarely_wrong() {
    std::thread threads[4];
    int n = 0;
    for (std::thread& t : threads)
        t = std::thread([i = ++n] {
            x.fetch_add(i, std::memory_order_relaxed);
            y.store(x.load(std::memory_order_relaxed), std::memory_order_relaxed);
        });
    for (std::thread& t : threads) t.join();
    VERIFY_THAT(y.load(std::memory_order_relaxed) != 1);
}

} // namespace programs
