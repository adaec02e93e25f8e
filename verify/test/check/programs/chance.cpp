// SPDX-License-Identifier: Apache-2.0
// What the checker decides for the program: times and random numbers.
#include <atomic>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <random>
#include <thread>

std::atomic<int> x;

int main() {
    std::thread writer([] { x = 1; });
    int seen = 0;
#if defined CLOCK
    const auto begin = std::chrono::steady_clock::now();
    seen = x;
    assert(std::chrono::steady_clock::now() - begin < std::chrono::hours(1));
#elif defined CHANCE
    seen = static_cast<int>(std::random_device{}() % 2);
#elif defined TIMED_WAIT
    std::mutex guard;
    std::condition_variable changed;
    std::unique_lock lock(guard);
    changed.wait_for(lock, std::chrono::seconds(1));
#endif
    writer.join();
    assert(x == 1 && seen < 2);
}
