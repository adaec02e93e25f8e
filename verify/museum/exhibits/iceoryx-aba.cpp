// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <iox/detail/mpmc_loffli.hpp>
#include <thread>

int main() {
    using free_list = iox::concurrent::MpmcLoFFLi;
    using index = free_list::Index_t;
    constexpr index slots = 4, none = slots;
    index memory[free_list::requiredIndexMemorySize(slots) / sizeof(index)];
    free_list list;
    list.init(memory, slots);
    index mine[slots] = {none, none, none, none}, early = none, late = none, again = none;
    std::thread first([&] { list.pop(early); });
    list.pop(mine[0]);
    list.pop(mine[1]);
    std::thread second([&] { list.pop(late); });
    list.pop(mine[2]);
    list.pop(mine[3]);
    for (const index i : {2, 0})
        if (list.push(mine[i])) mine[i] = none;
    first.join();
    second.join();
    list.pop(again);
    int owners[slots + 1] = {};
    for (const index slot : {mine[1], mine[3], early, late, again}) ++owners[slot];
    for (index slot = 0; slot != slots; ++slot) assert(owners[slot] <= 1);
}
