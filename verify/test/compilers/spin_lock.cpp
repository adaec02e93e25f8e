// SPDX-License-Identifier: Apache-2.0
// A test-and-test-and-set lock by compare-exchange.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

std::atomic<int> state{0};
int guarded = 0;

int main() {
    std::vector<std::thread> all;
    for (int i = 1; i <= 3; ++i)
        all.emplace_back([i] {
            while (true) {
                while (state.load(std::memory_order_relaxed) != 0) std::this_thread::yield();
                int expected = 0;
                if (state.compare_exchange_strong(expected, 1, std::memory_order_acquire)) break;
            }
            guarded = i;
            assert(guarded == i);
            state.store(0, std::memory_order_release);
        });
    for (std::thread& t : all) t.join();
}
