// SPDX-License-Identifier: Apache-2.0
// The core's queue of several producers as it ships: two slots, three items from two threads.
#include "weakened.hpp"

#include <cassert>
#include <ringproof/mpsc_queue.hpp>
#include <thread>

int main() {
    ringproof::mpsc_queue<int, weakened> queue(2);
    const auto push = [&](int item) {
        while (!queue.try_push(item)) {
        }
    };
    std::thread one([&] { push(1), push(2); }), other([&] { push(4); });
    int got[3] = {};
    for (int& item : got)
        while (!queue.try_pop(item)) {
        }
    one.join(), other.join();
    assert(got[0] + got[1] + got[2] == 1 + 2 + 4); // each once
}
