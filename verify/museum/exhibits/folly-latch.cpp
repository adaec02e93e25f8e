// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <folly/synchronization/Latch.h>
#include <thread>

int main() {
    folly::Latch latch(2);
    int done[2] = {0, 0};
    const auto work = [&](int i) {
        done[i] = 1;
        latch.count_down();
    };
    std::thread one(work, 0), two(work, 1);
    if (latch.try_wait()) assert(done[0] + done[1] == 2);
    one.join(), two.join();
}
