// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <folly/AtomicIntrusiveLinkedList.h>
#include <thread>

struct item {
    folly::AtomicIntrusiveLinkedListHook<item> hook;
};

int main() {
    using list_of_items = folly::AtomicIntrusiveLinkedList<item, &item::hook>;
    list_of_items list;
    item one;
    std::thread other([&] { list.insertHead(&one); });
    int found = 0;
    const auto count = [&](item*) { ++found; };
    list_of_items taken(std::move(list));
    taken.sweepOnce(count);
    other.join();
    list.sweepOnce(count);
    assert(found == 1);
}
