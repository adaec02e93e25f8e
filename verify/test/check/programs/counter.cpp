// SPDX-License-Identifier: Apache-2.0
// Two parts of one program, in two languages: the other is half.c.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

extern "C" int half(int n);

int main() {
    std::mutex guard;
    int count = 0;
    const auto add = [&] {
        const std::lock_guard held(guard);
        count += half(2);
    };
    std::thread one(add), two(add);
    one.join();
    two.join();
    assert(count == 2);
}
