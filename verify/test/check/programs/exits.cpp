// SPDX-License-Identifier: Apache-2.0
// Either thread may end the program: what is registered for its end runs once, and the other is gone.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>

std::atomic<int> x{0}, ends{0};
struct counts {
    ~counts() { assert(ends++ == 0); }
} counted;

#ifdef TOO_EARLY
const bool early = (std::exit(0), true);
#endif

int main() {
    std::thread other([] {
        if (x.load() == 0) std::exit(0);
        x = 1;
    });
    x = 2;
#ifdef WAITS
    while (x.load() != 1) std::this_thread::yield();
#endif
#ifdef JOINS
    other.join();
    assert(x == 1);
#else
    other.detach();
#endif
}
