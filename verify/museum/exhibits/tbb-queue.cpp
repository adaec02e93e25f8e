// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <oneapi/tbb/concurrent_queue.h>
#include <thread>

int main() {
    oneapi::tbb::concurrent_queue<int> queue;
    const auto push_and_pop = [&] {
        int taken;
        queue.push(1);
        assert(queue.try_pop(taken));
    };
    std::thread other(push_and_pop);
    push_and_pop();
    other.join();
}
