// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <cubeb_ringbuffer.h>
#include <thread>

int main() {
    ring_buffer_base<int> ring(1);
    std::thread producer([&] {
        for (int i = 1; i <= 3; ++i) ring.enqueue(i);
    });
    int last = 0;
    for (int i = 0, value; i < 2; ++i)
        if (ring.dequeue(&value, 1) == 1) {
            assert(value > last);
            last = value;
        }
    producer.join();
}
