// SPDX-License-Identifier: Apache-2.0
// A reader copies a record while it may be written, and throws the copy away if it was. The copy is a data race in C++.
#include <atomic>
#include <cassert>
#include <thread>

struct record {
    int first, second;
};
record shared;
std::atomic<unsigned> sequence;

int main() {
    std::thread writer([] {
        sequence.store(1, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_release);
        shared.first = 1;
        shared.second = 1;
        sequence.store(2, std::memory_order_release);
    });
    const unsigned before = sequence.load(std::memory_order_acquire);
    const record copy = shared;
#ifndef WITHOUT_FENCE
    std::atomic_thread_fence(std::memory_order_acquire);
#endif
    if (before % 2 == 0 && sequence.load(std::memory_order_relaxed) == before)
        assert(copy.first == copy.second);
    writer.join();
}
