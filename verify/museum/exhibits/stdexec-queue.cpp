// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <stdexec/__detail/__intrusive_mpsc_queue.hpp>
#include <thread>

struct node {
    STDEXEC::__std::atomic<NEXT> next{nullptr};
};

int main() {
    STDEXEC::__intrusive_mpsc_queue<&node::next> queue;
    node nodes[3];
    std::thread producer([&] {
        queue.push_back(&nodes[0]);
        queue.push_back(&nodes[1]);
    });
    std::thread other([&] { queue.push_back(&nodes[2]); });
    int popped = 0;
    const auto pop_three = [&] {
        for (int i = 0; i < 3; ++i)
            if (queue.pop_front()) ++popped;
    };
    pop_three();
    producer.join();
    other.join();
    pop_three();
    assert(popped == 3);
}
