// SPDX-License-Identifier: Apache-2.0
// One thread hands move-only items to another.
#include <cstdio>
#include <memory>
#include <ringproof/spsc_queue.hpp>
#include <thread>

int main() {
    constexpr int count = 100'000;
    ringproof::spsc_queue<std::unique_ptr<int>> queue(64);

    std::thread producer([&] {
        for (int i = 1; i <= count; ++i)
            for (auto item = std::make_unique<int>(i); !queue.try_push(std::move(item));)
                std::this_thread::yield(); // full: the item is still ours
    });

    long long sum = 0;
    for (int received = 0; received != count;)
        if (auto item = queue.try_pop()) {
            sum += **item;
            ++received;
        } else {
            std::this_thread::yield();
        }
    producer.join();

    std::printf("sum of 1 to %d: %lld\n", count, sum);
    return sum == static_cast<long long>(count) * (count + 1) / 2 ? 0 : 1;
}
