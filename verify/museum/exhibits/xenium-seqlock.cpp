// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <thread>
#include <xenium/seqlock.hpp>

struct pair {
    long a, b;
};

int main() {
    xenium::seqlock<pair> lock(pair{1, 1});
    std::thread writer([&] { lock.store({2, 2}); });
    const pair seen = lock.load();
    assert(seen.a == seen.b);
    writer.join();
}
