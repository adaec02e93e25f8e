// SPDX-License-Identifier: Apache-2.0
#include <atomic_queue/atomic_queue.h>
#include <cassert>
#include <thread>

int main() {
    constexpr bool spsc = true;
    atomic_queue::AtomicQueue<int*, 2, nullptr, false, true, false, spsc> queue;
    int value = 0;
    std::thread producer([&] {
        value = 42;
        queue.try_push(&value);
    });
    int* taken = nullptr;
    if (queue.try_pop(taken)) assert(*taken == 42);
    producer.join();
}
