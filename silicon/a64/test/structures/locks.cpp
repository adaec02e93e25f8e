// SPDX-License-Identifier: Apache-2.0
// Three threads try for a lock up to TRIES times each, and add to a sum where they get it: a flag that is compared and
// exchanged, or with TICKETS a number that is drawn and waited for.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>
#ifndef TRIES
#define TRIES 2
#endif
#ifndef RELEASE
#define RELEASE std::memory_order_release
#endif

std::atomic<std::int64_t> drawn, served;
std::int64_t sum;

#ifdef TICKETS
static bool lock() {
    const std::int64_t mine = drawn.fetch_add(1, std::memory_order_acquire);
    for (int i = 0; i < TRIES; ++i)
        if (served.load(std::memory_order_acquire) == mine) return true;
    return false;
}
static void unlock() { served.store(served.load(std::memory_order_relaxed) + 1, RELEASE); }
#else
static bool lock() {
    for (int i = 0; i < TRIES; ++i)
        if (std::int64_t open = 0;
            drawn.compare_exchange_strong(open, 1, std::memory_order_acquire, std::memory_order_relaxed))
            return true;
    return false;
}
static void unlock() { drawn.store(0, RELEASE); }
#endif

static bool add() {
    if (!lock()) return false;
    sum += 42;
    unlock();
    return true;
}

int main() {
    bool got[3] = {};
    std::thread one([&] { got[1] = add(); }), two([&] { got[2] = add(); });
    got[0] = add();
    one.join(), two.join();
    assert(sum == 42 * (got[0] + got[1] + got[2]));
}
