// SPDX-License-Identifier: Apache-2.0
// Ends of a program: what main returns, assertions, and none of either.
#include <atomic>
#include <cassert>
#include <thread>

#ifndef CODE
#define CODE 0
#endif

std::atomic<int> seen;

int main() {
    std::thread writer([] { seen = 1; });
    [[maybe_unused]] const int early = seen;
    writer.join();
#ifdef FAILING
    assert(early == 1);
#elif defined ASSERTING
    assert(early == 0 || early == 1);
#elif defined GIVING_UP
    if (early == 2) __builtin_abort();
#elif defined RETURNING
    return early;
#endif
    return CODE;
}
