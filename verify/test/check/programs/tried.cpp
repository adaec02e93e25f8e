// SPDX-License-Identifier: Apache-2.0
// Each of three threads tries a lock until it has it, and lets others go on in between.
#include <mutex>
#include <thread>

static std::mutex mutex;
static int data;

static void add(int n) {
    while (!mutex.try_lock()) std::this_thread::yield();
    data += n;
    mutex.unlock();
}

int main() {
    std::thread a(add, 1), b(add, 2), c(add, 3);
    a.join();
    b.join();
    c.join();
    return data != 6;
}
