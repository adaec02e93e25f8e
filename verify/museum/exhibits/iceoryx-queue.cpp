// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <cmath>    // the header does not include what it needs
#include <iostream> // the same
#include <thread>

#include <iceoryx_utils/lockfree_queue/lockfree_queue.hpp>

int main() {
    iox::LockFreeQueue<int, 1> queue;
    std::thread producer([&] { queue.push(1); });
    if (const auto taken = queue.pop()) assert(*taken == 1);
    producer.join();
}
