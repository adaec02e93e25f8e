// SPDX-License-Identifier: Apache-2.0
// An atomic object of 16 bytes, whose halves are always equal. g++ calls libatomic for it, which locks; clang has the
// instructions inline.
#include <atomic>
#include <cassert>
#include <thread>

struct pair {
    long first, second;
};

#ifdef HALVES
std::atomic<long> first_half{0}, second_half{0};
void put(pair p) {
    first_half = p.first;
    second_half = p.second;
}
pair get() { return {first_half, second_half}; }
#else
std::atomic<pair> word{pair{0, 0}};
void put(pair p) { word.store(p); }
pair get() { return word.load(); }
#endif

int main() {
    std::thread writer([] { put({1, 1}); });
    const pair got = get();
    assert(got.first == got.second);
    writer.join();
    assert(get().second == 1);
}
