// SPDX-License-Identifier: Apache-2.0
// A loop that counts its iterations without a bound, and tells.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> ready;
long rounds;

int main() {
    std::thread writer([] { ready = 1; });
    long counted = 0;
    while (ready == 0) {
        ++counted;
        std::this_thread::yield();
    }
    writer.join();
    rounds = counted;
    assert(ready == 1);
}
