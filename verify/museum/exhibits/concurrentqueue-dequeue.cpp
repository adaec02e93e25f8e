// SPDX-License-Identifier: Apache-2.0
#include <concurrentqueue.h>
#include <thread>

int main() {
    moodycamel::ConcurrentQueue<int> queue(64);
    std::thread producer([&] {
        moodycamel::ProducerToken mine(queue);
        queue.enqueue(mine, 1), queue.enqueue(mine, 2);
    });
    const auto consume = [&] {
        int taken;
        queue.try_dequeue(taken);
    };
    std::thread other(consume);
    consume();
    producer.join(), other.join();
}
