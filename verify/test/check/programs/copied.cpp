// SPDX-License-Identifier: Apache-2.0
// Given back, then copied: a copy of this size is one that compilers expand in place.
#include <atomic>
#include <cstring>
#include <thread>

struct block {
    long words[7];
};
static block shared_block, copy;
static std::atomic<bool> given_back{false};

int main() {
    std::thread other([] {
        while (!given_back.load(std::memory_order_acquire)) std::this_thread::yield();
        shared_block.words[3] = 1;
    });
    given_back.store(true, std::memory_order_release);
    std::memcpy(&copy, &shared_block, sizeof copy);
    other.join();
}
