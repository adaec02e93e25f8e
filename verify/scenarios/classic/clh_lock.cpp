// SPDX-License-Identifier: Apache-2.0
// CLH lock: a queue in which each thread waits on the node of the one before it, and goes on with that node.
// T. S. Craig: Building FIFO and priority-queuing spin locks from atomic swap. University of Washington, 1993.
// P. Magnusson, A. Landin, E. Hagersten: Queue locks on cache coherent multiprocessors. IPPS 1994.

#include "critical_section.hpp"

#include <atomic>

namespace {

using ringproof::classic::excludes;
using std::memory_order;

struct node {
    std::atomic<bool> held{false};
};

/// @tparam Enqueue the order of the exchange by which a thread enters the queue
/// @tparam TakesOver whether a thread goes on with the node before its own. With its own again, it may hold that node
///         for its second round before the thread behind it has looked at it for the first. (An exercise of
///         M. Herlihy, N. Shavit: The Art of Multiprocessor Programming.)
template <memory_order Enqueue, bool TakesOver = true>
class clh_lock {
  public:
    void lock(unsigned me) {
        mine_[me]->held.store(true, memory_order::relaxed);
        before_[me] = last_.exchange(mine_[me], Enqueue);
        while (before_[me]->held.load(memory_order::acquire)) std::this_thread::yield();
    }
    void unlock(unsigned me) {
        node* const mine = mine_[me];
        if (TakesOver) mine_[me] = before_[me];
        mine->held.store(false, memory_order::release);
    }

  private:
    node nodes_[4];
    std::atomic<node*> last_{&nodes_[3]};
    node* mine_[3] = {&nodes_[0], &nodes_[1], &nodes_[2]}; ///< each element belongs to one thread
    node* before_[3] = {};
};

} // namespace

VERIFY("CLH lock: three threads", .models = {rc11, tso, sc}) {
    excludes<clh_lock<memory_order::acq_rel>>(3, 1);
}
VERIFY("CLH lock: two threads, two rounds", .models = {rc11, tso, sc}) {
    excludes<clh_lock<memory_order::acq_rel>>(2, 2);
}
VERIFY("CLH lock, mutant: enters the queue relaxed", .expect = refuted) {
    excludes<clh_lock<memory_order::relaxed>>(2, 1);
}
VERIFY("CLH lock, mutant: goes on with its own node", .models = {rc11, tso, sc}, .expect = refuted) {
    excludes<clh_lock<memory_order::acq_rel, false>>(2, 2);
}
