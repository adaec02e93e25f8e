// SPDX-License-Identifier: Apache-2.0
// Two threads push to oneTBB's queue. Its library has allocated before main(), as oneTBB 2022 does by itself: its allocator would
// give addresses by which thread pushes first.
#include <cassert>
#include <oneapi/tbb/concurrent_queue.h>
#include <thread>

static const bool allocated = (oneapi::tbb::cache_aligned_allocator<int>().deallocate(
                                   oneapi::tbb::cache_aligned_allocator<int>().allocate(1), 1),
                               true);

int main() {
    oneapi::tbb::concurrent_queue<int> queue;
    std::thread other([&] { queue.push(1); });
    queue.push(2);
    other.join();
    int first = 0, second = 0;
    assert(allocated && queue.try_pop(first) && queue.try_pop(second) && first + second == 3);
}
