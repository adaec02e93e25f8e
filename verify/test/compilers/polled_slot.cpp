// SPDX-License-Identifier: Apache-2.0
// A slot behind a mutex, polled.
#include <cassert>
#include <mutex>
#include <thread>

struct slot {
    std::mutex mutex;
    int value = 0;
    bool full = false;
    bool try_pop(int& out) {
        std::lock_guard locked(mutex);
        if (!full) return false;
        out = value;
        full = false;
        return true;
    }
    void push(int v) {
        std::lock_guard locked(mutex);
        value = v;
        full = true;
    }
};

int main() {
    slot s;
    std::thread producer([&] { s.push(7); });
    int got = 0;
    while (!s.try_pop(got)) std::this_thread::yield();
    assert(got == 7);
    producer.join();
}
