// SPDX-License-Identifier: Apache-2.0
#pragma once
// A read-write lock as Linux had it on x86: who finds it taken gives back what it took, waits, and tries again.

#include <atomic>
#include <thread>

namespace ringproof::verify::locks {

struct undone_lock {
    static constexpr int bias = 8;
    std::atomic<int> word{bias};

    /// @param way of waiting, and of how its first attempt is made
    /// @param failed called after each attempt that is given back
    template <class Failed>
    void enter(bool alone, int way, Failed failed) {
        const int share = alone ? bias : 1;
        const auto free = [&](int left) { return alone ? left == bias : left > 0; };
        if (way == 1) { // the only attempt in the source
            while (!free(word.fetch_sub(share, std::memory_order_acquire))) {
                word.fetch_add(share, std::memory_order_relaxed);
                failed();
            }
            return;
        }
        int left = word.fetch_sub(share, std::memory_order_acquire);
        while (!free(left)) {
            word.fetch_add(share, std::memory_order_relaxed);
            failed();
            while (!free(word.load(std::memory_order_relaxed)))
                if (way == 2) std::this_thread::yield();
            left = word.fetch_sub(share, std::memory_order_acquire);
        }
    }
    void leave(bool alone) { word.fetch_add(alone ? bias : 1, std::memory_order_release); }
};

} // namespace ringproof::verify::locks
