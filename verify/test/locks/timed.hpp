// SPDX-License-Identifier: Apache-2.0
#pragma once
// Loops that wait with a time-out, and what they wait for.

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace ringproof::verify::locks {

struct timed_flag {
    std::mutex m;
    std::condition_variable changed;
    bool set = false;
    int times = 0;

    /// Waits until the flag is set, by a timed wait or, where the search is to know nothing of such, by letting go of the
    /// mutex and taking it again. `failed` is called each time. @return how often the flag was set
    template <class Failed>
    int await(bool timed, Failed failed) {
        std::unique_lock lock(m);
        while (!set) {
            if (timed) {
                changed.wait_for(lock, std::chrono::milliseconds(1));
                continue;
            }
            failed();
            lock.unlock();
            lock.lock();
        }
        return times;
    }
    /// @param told 0: notifies no thread; 1: one; otherwise: all that wait
    void change(bool to, int told) {
        const std::lock_guard lock(m);
        set = to;
        times += to;
        if (told == 1) changed.notify_one();
        if (told > 1) changed.notify_all();
    }
};

} // namespace ringproof::verify::locks
