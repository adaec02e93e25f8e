// SPDX-License-Identifier: Apache-2.0
#pragma once
// Programs of threads that run the same.

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <mutex>
#include <thread>

namespace programs {

namespace alike {
inline std::atomic<int> x{0}, next{0}, owner{0};
inline std::mutex lock;
inline int data = 0;
struct node {
    node* below = nullptr;
    std::atomic<int> users{0};
};
inline std::atomic<std::atomic<int>*> flag{nullptr};
inline std::atomic<node*> top{nullptr};
} // namespace alike

/// So many threads that all do `what`.
template <void (*What)(), int N>
void alike_threads() {
    std::thread threads[N];
    for (std::thread& t : threads) t = std::thread(What);
    for (std::thread& t : threads) t.join();
}

inline void increment() { alike::x.fetch_add(1, std::memory_order_relaxed); }
inline void read_only() { alike::x.load(std::memory_order_relaxed); }
inline void write_and_read() {
    alike::x.store(1, std::memory_order_relaxed);
    alike::x.load(std::memory_order_relaxed);
}
inline void take_mutex() {
    const std::lock_guard hold(alike::lock);
    ++alike::data;
}
inline void take_ticket() {
    const int mine = alike::next.fetch_add(1, std::memory_order_relaxed);
    while (alike::owner.load(std::memory_order_acquire) != mine) ringproof::verify::pause();
    ++alike::data;
    alike::owner.store(mine + 1, std::memory_order_release);
}
inline void exchange_in_loop() {
    int seen = alike::x.load(std::memory_order_relaxed);
    while (!alike::x.compare_exchange_strong(seen, seen + 1, std::memory_order_acq_rel,
                                             std::memory_order_relaxed))
        ;
}
inline void push_node() {
    auto* const mine = new alike::node;
    mine->below = alike::top.load(std::memory_order_relaxed);
    while (!alike::top.compare_exchange_strong(mine->below, mine, std::memory_order_release,
                                               std::memory_order_relaxed))
        ;
}

inline void push_counted_node() {
    auto* const mine = new alike::node;
    mine->users.store(1, std::memory_order_relaxed);
    mine->users.load(std::memory_order_relaxed);
    alike::top.exchange(mine, std::memory_order_relaxed);
}
inline void show_own_flag() {
    std::atomic<int> mine{0};
    mine.store(1, std::memory_order_relaxed);
    alike::flag.exchange(&mine, std::memory_order_relaxed);
}

/// Exchanges what it has read for `To`, again and again until it is still there.
template <int To>
void confirm() {
    for (int seen = alike::x.load(); !alike::x.compare_exchange_strong(seen, To); seen = alike::x.load())
        ;
}
/// Two for 0, two for 42, and one that tries once to turn a 42 back.
inline void confirmed_by_alike() {
    std::thread threads[5] = {std::thread(confirm<0>), std::thread(confirm<0>), std::thread(confirm<42>),
                              std::thread(confirm<42>), std::thread([] {
                                  int seen = 42;
                                  alike::x.compare_exchange_strong(seen, 0);
                              })};
    for (std::thread& t : threads) t.join();
}

} // namespace programs
