// SPDX-License-Identifier: Apache-2.0
// Lists whose nodes are linked in by a compare-exchange, as Treiber's stack does.

#include "programs.hpp"

#include <atomic>
#include <thread>

namespace programs {
namespace {

using enum std::memory_order;

struct node {
    node* next = nullptr;
};

/// Two threads link in a node each. @param look how they look at the head
/// @param tells whether each tells the other of its node before
void links(std::memory_order look, bool tells) {
    std::atomic<node*> head{nullptr}, known{nullptr};
    const auto links_one = [&] {
        auto* const added = new node;
        if (tells) known.store(added, relaxed);
        node* top = head.load(look);
        do added->next = top;
        while (!head.compare_exchange_strong(top, added, acq_rel, look));
    };
    std::thread one(links_one), other(links_one);
    one.join();
    other.join();
    while (node* const top = head.load(relaxed)) {
        head.store(top->next, relaxed);
        delete top;
    }
}

} // namespace

void links_new_nodes() { links(relaxed, false); }
void links_told_nodes() { links(relaxed, true); }
void links_acquired_nodes() { links(acquire, true); }

} // namespace programs
