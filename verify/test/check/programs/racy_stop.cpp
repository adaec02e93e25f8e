// SPDX-License-Identifier: Apache-2.0
// A thread works until plain memory tells it to stop, which is a data race.
#include <atomic>
#include <thread>

bool stop;
std::atomic<int> begun, work;

int main() {
    std::thread stopper([] {
        while (begun.load(std::memory_order_acquire) == 0) std::this_thread::yield();
        stop = true;
    });
    begun.store(1, std::memory_order_relaxed);
    while (!stop) (void)work.load(std::memory_order_acquire);
    stopper.join();
}
