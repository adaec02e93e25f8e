// SPDX-License-Identifier: Apache-2.0
// One pop: with two, another bug shows that the fix leaves (docs/museum.md).
#include <cassert>
#include <thread>
#include <xenium/chase_work_stealing_deque.hpp>

int main() {
    xenium::chase_work_stealing_deque<int, xenium::policy::capacity<4>> items;
    int values[2] = {0, 0};
    for (int& v : values) items.try_push(&v);
    int* stolen[2] = {nullptr, nullptr};
    std::thread thief([&] {
        for (int*& s : stolen)
            if (!items.try_steal(s)) s = nullptr;
    });
    int* popped;
    if (items.try_pop(popped)) ++*popped;
    thief.join();
    for (int* s : stolen)
        if (s) ++*s;
    assert(values[0] <= 1 && values[1] <= 1);
}
