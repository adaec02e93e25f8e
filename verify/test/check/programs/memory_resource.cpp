// SPDX-License-Identifier: Apache-2.0
// Two threads allocate from one resource, which is not for two threads.
#include <memory_resource>
#include <thread>
#include <vector>

#ifdef VECTOR
static void allocate() { std::pmr::vector<int>(3, 7); }
#else
static std::pmr::monotonic_buffer_resource shared;
static void allocate() { (void)shared.allocate(8); }
#endif

int main() {
    std::thread other(allocate);
    allocate();
    other.join();
}
