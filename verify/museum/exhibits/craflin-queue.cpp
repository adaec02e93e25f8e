// SPDX-License-Identifier: Apache-2.0
#include <LockFreeQueueCpp11.h>
#include <cassert>
#include <thread>

int main() {
    LockFreeQueueCpp11<int> queue(2);
    std::thread producer([&] { queue.push(1); });
    int value;
    if (queue.pop(value)) assert(value == 1);
    producer.join();
}
