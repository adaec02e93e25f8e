// SPDX-License-Identifier: Apache-2.0
// The core's queue as it ships: two slots, three items, as g++ compiles it.
#include "weakened.hpp"

#include <cassert>
#include <ringproof/spsc_queue.hpp>
#include <thread>
#ifndef POLICY
#define POLICY weakened
#endif

int main() {
    ringproof::spsc_queue<int, POLICY> queue(2);
    std::thread producer([&] {
        for (int i = 1; i <= 3; ++i)
            while (!queue.try_push(i)) {
            }
    });
    for (int i = 1; i <= 3; ++i) {
        int got = 0;
        while (!queue.try_pop(got)) {
        }
        assert(got == i);
    }
    producer.join();
}
