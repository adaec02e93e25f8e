// SPDX-License-Identifier: Apache-2.0
#include "links.hpp"

#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <array>
#include <atomic>

namespace programs {

namespace {

using enum std::memory_order;

struct linked {
    linked* next;
    long attempts;
};
std::array<linked, 3> nodes;
alignas(8) std::atomic<linked*> head;
alignas(8) std::atomic<int> done;

void begin() {
    nodes = {};
    head.store(nullptr, relaxed);
    done.store(0, relaxed);
}

void push(linked& mine) {
    mine.next = head.load(relaxed);
    while (!head.compare_exchange_strong(mine.next, &mine, release, relaxed)) {
    }
}

template <int Node>
void push_node() {
    push(nodes[Node]);
}

int count() {
    int found = 0;
    for (const linked* at = head.load(relaxed); at; at = at->next) ++found;
    return found;
}

} // namespace

void pushes_of_unlike_threads() {
    begin();
    together(push_node<0>, push_node<1>, push_node<2>);
    VERIFY_THAT(count() == 3);
}

void pushes_and_gives_up_behind_one() {
    begin();
    seen_by[0] = 0;
    together(push_node<0>, push_node<1>, [] {
        linked& mine = nodes[2];
        mine.next = head.load(relaxed);
        do {
            if (mine.next != &nodes[1]) continue;
            seen_by[0] = 1;
            return;
        } while (!head.compare_exchange_strong(mine.next, &mine, release, relaxed));
    });
    VERIFY_THAT(count() == 3 - seen_by[0]);
}

void pushes_beside_one_who_looks_behind() {
    begin();
    together(push_node<0>, push_node<1>, [] {
        const linked* const newest = head.load(acquire);
        seen_by[0] = newest ? 1 + (newest->next != nullptr) : 0;
    });
}

void pushes_and_counts_attempts() {
    begin();
    const auto push_counted = [](linked& mine) {
        mine.next = head.load(relaxed);
        do {
            ++mine.attempts;
        } while (!head.compare_exchange_strong(mine.next, &mine, release, relaxed));
    };
    together([&] { push_counted(nodes[0]); }, [&] { push_counted(nodes[1]); }, push_node<2>);
    seen_by[0] = static_cast<int>(nodes[0].attempts), seen_by[1] = static_cast<int>(nodes[1].attempts);
}

void pushes_what_it_may_not_have_linked() {
    begin();
    together(
        push_node<0>,
        [] {
            push(nodes[1]);
            done.store(1, relaxed);
        },
        [] {
            linked& mine = nodes[2];
            for (linked* seen = head.load(relaxed);;) {
                if (done.load(relaxed) == 0) mine.next = seen;
                if (head.compare_exchange_strong(seen, &mine, release, relaxed)) break;
            }
            seen_by[0] = mine.next == nullptr ? 0 : mine.next == &nodes[0] ? 1 : 2;
        });
}

} // namespace programs
