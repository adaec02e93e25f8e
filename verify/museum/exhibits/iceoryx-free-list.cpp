// SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <iox/detail/mpmc_loffli.hpp>
#include <thread>

int main() {
    using free_list = iox::concurrent::MpmcLoFFLi;
    using index = free_list::Index_t;
    free_list list;
    index memory[free_list::requiredIndexMemorySize(1) / sizeof(index)];
    list.init(memory, 1);
    constexpr index none = 1;
    std::atomic<index> given{none};
    std::thread other([&] {
        const index mine = given.load(std::memory_order_relaxed);
        if (mine != none) list.push(mine);
    });
    index taken;
    if (list.pop(taken)) given.store(taken, std::memory_order_relaxed);
    other.join();
}
