// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where the workers meet. Each has a line of its own that only it writes, so that meeting costs one
// transfer per pair and no read-modify-write: the shorter it is, the closer together they start.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <sched.h>
#include <thread>

namespace ringproof::litmus {

inline void spin_pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

class barrier {
  public:
    explicit barrier(std::size_t workers) : workers_(workers), lines_(std::make_unique<line[]>(workers)) {}

    /// Waits until all workers have come as often as this one. Spins; gives the CPU away when the others
    /// take long, for they may be waiting for it; and sleeps when they take longer still, because then
    /// somebody else has their CPU and should get ours as well.
    void meet(std::size_t self) {
        if (workers_ == 1) return;
        const std::uint64_t now = lines_[self].came.load(std::memory_order_relaxed) + 1; // own line
        // What was done before the meeting is seen by all after it.
        lines_[self].came.store(now, std::memory_order_release);
        for (std::size_t other = 0; other < workers_; ++other)
            for (unsigned looks = 0; lines_[other].came.load(std::memory_order_acquire) < now; ++looks)
                if (looks < patience)
                    spin_pause();
                else if (looks < patience + yields)
                    sched_yield();
                else
                    std::this_thread::sleep_for(nap);
    }

  private:
    static constexpr unsigned patience = 2000; // some 50 µs: longer than any worker on a CPU needs
    static constexpr unsigned yields = 100;
    static constexpr std::chrono::microseconds nap{50};
    struct alignas(128) line {
        std::atomic<std::uint64_t> came{0};
    };
    std::size_t workers_;
    std::unique_ptr<line[]> lines_;
};

} // namespace ringproof::litmus
