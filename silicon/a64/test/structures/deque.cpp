// SPDX-License-Identifier: Apache-2.0
// Chase and Lev's deque of two places: the first thread is its owner, the others steal; each attempt is made once.
#include "plan.hpp"

#include <atomic>
#ifndef FENCE
#define FENCE std::memory_order_seq_cst
#endif

std::atomic<std::int64_t> bottom, top;
constexpr std::int64_t size = 2;
std::int64_t items[size];

static bool push(std::int64_t item) {
    const std::int64_t b = bottom.load(std::memory_order_relaxed), t = top.load(std::memory_order_acquire);
    if (b - t >= size) return false;
    items[b % size] = item;
    bottom.store(b + 1, std::memory_order_release);
    return true;
}
static bool pop(std::int64_t& item) {
    const std::int64_t b = bottom.load(std::memory_order_relaxed);
    bottom.store(b - 1, std::memory_order_relaxed);
    std::atomic_thread_fence(FENCE);
    std::int64_t t = top.load(std::memory_order_relaxed);
    bool got = b - t > 1;
    if (b - t >= 1) item = items[(b - 1) % size];
    if (got) return true;
    if (b - t == 1) got = top.compare_exchange_strong(t, t + 1, std::memory_order_acq_rel);
    bottom.store(b, std::memory_order_relaxed);
    return got;
}
static bool steal(std::int64_t& item) {
    std::int64_t t = top.load(std::memory_order_relaxed);
    std::atomic_thread_fence(FENCE);
    const std::int64_t b = bottom.load(std::memory_order_acquire);
    if (b - t <= 0) return false;
    item = items[t % size];
    return top.compare_exchange_strong(t, t + 1, std::memory_order_release);
}

int main() {
    run_three([](int thread) {
        return follow(
            thread, [](std::int64_t item, int) { return push(item); },
            [&](std::int64_t& item) { return thread == 0 ? pop(item) : steal(item); });
    });
}
