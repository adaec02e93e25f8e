// SPDX-License-Identifier: Apache-2.0
#include <taskflow/core/tsq.hpp>
#include <thread>

int main() {
    tf::UnboundedTaskQueue<int*> queue(0); // room for one
    int one, two;
    queue.push(&one);
    std::thread thief([&] { queue.steal(); });
    queue.pop();
    queue.push(&two);
    thief.join();
}
