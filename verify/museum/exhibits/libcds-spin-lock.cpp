// SPDX-License-Identifier: Apache-2.0
#include <cds/init.h>
#include <cds/sync/spinlock.h>
#include <thread>

int main() {
    cds::sync::reentrant_spin64 lock;
    int shared = 0;
    const auto add = [&] {
        lock.lock();
        ++shared;
        lock.unlock();
    };
    std::thread other(add);
    add();
    other.join();
}
