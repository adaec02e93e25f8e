// SPDX-License-Identifier: Apache-2.0
#include <readerwriterqueue/readerwriterqueue.h>
#include <thread>

int main() {
    moodycamel::ReaderWriterQueue<int, 2> queue(1);
    std::thread producer([&] { queue.enqueue(1), queue.enqueue(2); });
    queue.size_approx();
    producer.join();
}
