// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <mutex>
#include <thread>

std::mutex m;
int total;

static void add(int n) {
#ifndef NO_LOCK
    const std::lock_guard<std::mutex> held(m);
#endif
    total = total + n;
}

int main() {
    std::thread one([] { add(1); });
    add(2);
    one.join();
    assert(total == 3);
}
