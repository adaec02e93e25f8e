// SPDX-License-Identifier: Apache-2.0
// oneTBB's containers, over its own allocator.
#include <cassert>
#include <oneapi/tbb/concurrent_hash_map.h>
#include <oneapi/tbb/concurrent_queue.h>
#include <thread>

int main() {
#ifdef MAP
    tbb::concurrent_hash_map<int, int> map;
    std::thread other([&] { map.insert({1, 10}); });
    {
        tbb::concurrent_hash_map<int, int>::const_accessor at;
        const bool found = map.find(at, 1);
        assert(!found || at->second == 10);
    }
    other.join();
    assert(map.size() == 1);
#else
    tbb::concurrent_queue<int> queue;
    std::thread other([&] { queue.push(1); });
    int item = 0;
    const bool got = queue.try_pop(item);
#ifdef WRONG
    assert(!got);
#endif
    assert(!got || item == 1);
    other.join();
    assert(queue.unsafe_size() == (got ? 0u : 1u));
#endif
}
