// SPDX-License-Identifier: Apache-2.0
#pragma once
// What every lock promises: a counter that no atomic protects is counted up by one thread at a time, and each thread
// sees what the one before it wrote. If the lock lets two in, the checker reports the race on the counter.

#include <ringproof/verify/verify.hpp>

#include <thread>
#include <vector>

namespace ringproof::classic {

/// Each of `threads` threads passes through the critical section `rounds` times. A lock has lock(me) and unlock(me).
template <class Lock>
void excludes(unsigned threads, unsigned rounds) {
    Lock lock;
    unsigned counter = 0;
    const auto count = [&](unsigned me) {
        for (unsigned i = 0; i != rounds; ++i) {
            lock.lock(me);
            ++counter;
            lock.unlock(me);
        }
    };
    std::vector<std::thread> others;
    for (unsigned me = 1; me != threads; ++me) others.emplace_back(count, me);
    count(0);
    for (std::thread& other : others) other.join();
    VERIFY_THAT(counter == threads * rounds);
}

} // namespace ringproof::classic
