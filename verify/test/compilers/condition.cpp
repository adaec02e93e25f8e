// SPDX-License-Identifier: Apache-2.0
// A condition variable with a predicate, and one waited for with a time.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
    std::mutex mutex;
    std::condition_variable changed;
    bool ready = false, taken = false;
    std::thread other([&] {
        std::unique_lock lock(mutex);
        ready = true;
        changed.notify_all();
        changed.wait(lock, [&] { return taken; });
    });
    {
        std::unique_lock lock(mutex);
        while (!ready) changed.wait_for(lock, std::chrono::milliseconds(10));
        taken = true;
        changed.notify_all();
    }
    other.join();
}
