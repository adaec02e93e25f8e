// SPDX-License-Identifier: Apache-2.0
// What an update returns is used, behind a load of a structure that is taken by value: each thread gets another number.
#include <atomic>
#include <cassert>
#include <thread>

namespace {

struct pair {
    long x, y;
};
pair shared{1, 2};
std::atomic<long> count, numbers;

[[gnu::noinline]] void takes(pair p, long n) { numbers.fetch_add(p.x * n, std::memory_order_relaxed); }

void counts() { takes(shared, count.fetch_add(1, std::memory_order_relaxed)); }

} // namespace

int main() {
    std::thread first(counts), second(counts);
    first.join();
    second.join();
    assert(numbers == 1);
}
