// SPDX-License-Identifier: Apache-2.0
// Two threads count in plain memory, which is a data race. Behind it a message is passed, rightly or not.
#include <atomic>
#include <cassert>
#include <thread>

#ifdef RELAXED
constexpr auto publishes = std::memory_order_relaxed;
#else
constexpr auto publishes = std::memory_order_release;
#endif

int hits;
std::atomic<int> message, ready;

int main() {
    std::thread sender([] {
        ++hits;
        message.store(7, std::memory_order_relaxed);
        ready.store(1, publishes);
    });
    ++hits;
    if (ready.load(std::memory_order_acquire) == 1) assert(message.load(std::memory_order_relaxed) == 7);
    sender.join();
}
