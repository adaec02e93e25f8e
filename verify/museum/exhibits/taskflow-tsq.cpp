// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <taskflow/core/tsq.hpp>
#include <thread>

int main() {
    tf::UnboundedTaskQueue<int*> queue(0); // room for one
    int one, two;
    queue.push(&one);
    int* stolen = nullptr;
    std::thread thief([&] { stolen = queue.steal(); });
    int* const popped = queue.pop();
    queue.push(&two);
    thief.join();
    assert((stolen == &one) != (popped == &one) || stolen == &two);
}
