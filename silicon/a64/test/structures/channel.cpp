// SPDX-License-Identifier: Apache-2.0
// A ring of SIZE places, from one producer to one consumer or, with SHARED, to two; each attempt is made once.
#include "plan.hpp"

#include <atomic>
#ifndef RELEASE
#define RELEASE std::memory_order_release
#endif
#ifndef SIZE
#define SIZE 2
#endif

std::atomic<std::int64_t> head, tail;
std::int64_t items[SIZE];

static bool put(std::int64_t item, int) {
    const std::int64_t h = head.load(std::memory_order_relaxed), t = tail.load(std::memory_order_acquire);
    if (h - t >= SIZE) return false;
    items[h % SIZE] = item;
    head.store(h + 1, RELEASE);
    return true;
}
static bool take(std::int64_t& item) {
    const std::int64_t h = head.load(std::memory_order_acquire);
    std::int64_t t = tail.load(std::memory_order_relaxed);
    if (t >= h) return false;
    item = items[t % SIZE];
#ifdef SHARED
    return tail.compare_exchange_strong(t, t + 1, std::memory_order_release, std::memory_order_relaxed);
#else
    tail.store(t + 1, std::memory_order_release);
    return true;
#endif
}

int main() {
#ifdef SHARED
    run_three([](int thread) { return follow(thread, put, take); });
#else
    tally consumer, producer;
    std::thread other([&] { consumer = follow(1, put, take); });
    producer = follow(0, put, take);
    other.join();
    assert((consumer.out & ~producer.in) == 0);
#endif
}
