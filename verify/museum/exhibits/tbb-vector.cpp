// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <oneapi/tbb/concurrent_vector.h>
#include <thread>

int main() {
    oneapi::tbb::concurrent_vector<int> vector;
    constexpr int more_than_embedded = 9, one = 1;
    std::thread other([&] { vector.grow_by(more_than_embedded, one); });
    vector.grow_by(1, one);
    other.join();
    int sum = 0;
    for (std::size_t i = 0; i != more_than_embedded + 1; ++i) sum += vector[i];
    assert(sum == more_than_embedded + 1);
}
