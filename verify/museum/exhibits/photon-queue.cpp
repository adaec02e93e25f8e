// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <photon/common/lockfree_queue.h>
#include <thread>

static LockfreeBatchMPMCRingQueue<int, 2> queue;

int main() {
    std::thread other([] {
        int element = 1;
        queue.push_batch(&element, 1);
        queue.pop_batch(&element, 1);
    });
    int element = 0;
    if (queue.pop_batch(&element, 1)) assert(element == 1);
    other.join();
}
