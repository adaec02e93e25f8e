// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <folly/detail/MemoryIdler.h>
#include <folly/synchronization/Baton.h>
#include <thread>

// Otherwise in a file that needs the whole library.
folly::AtomicStruct<std::chrono::steady_clock::duration> folly::detail::MemoryIdler::defaultIdleTimeout;
void folly::detail::MemoryIdler::flushLocalMallocCaches() {}
void folly::detail::MemoryIdler::unmapUnusedStack(size_t) {}

int main() {
    folly::Baton<> baton;
    int value = 0;
    std::thread poster([&] {
        value = 1;
        baton.post();
    });
    baton.wait();
    assert(value == 1);
    poster.join();
}
