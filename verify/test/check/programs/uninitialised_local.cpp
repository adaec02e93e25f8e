// SPDX-License-Identifier: Apache-2.0
// A local that is written to only in some executions, and read in all of them. Stacks hold zeros at first.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> ready{0};

void answer(int* to) {
    if (ready.load()) *to = 0;
}

int main() {
    std::thread other([] { ready = 1; });
    int got;
    answer(&got);
    other.join();
    assert(got == 0);
}
