// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <lf/allocator.hpp>
#include <thread>

int main() {
    lf::allocator<int> pool(3);
    int* kept = nullptr;
    std::thread other([&] {
        int* first = pool.allocate();
        kept = pool.allocate();
        pool.deallocate(first);
    });
    int* mine = pool.allocate();
    other.join();
    assert(mine != kept && pool.allocate() != kept);
}
