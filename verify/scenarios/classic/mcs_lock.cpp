// SPDX-License-Identifier: Apache-2.0
// MCS lock: a queue of waiting threads, each of which waits on a word of its own.
// J. M. Mellor-Crummey, M. L. Scott: Algorithms for scalable synchronization on shared-memory multiprocessors.
// ACM TOCS 9(1), 1991.

#include "critical_section.hpp"

#include <atomic>

namespace {

using ringproof::classic::excludes;
using std::memory_order;

struct node {
    std::atomic<node*> next{nullptr};
    std::atomic<bool> waits{false};
};

/// @tparam HandOver the order of giving the lock to the next. Linux' MCS lock had less than a release there until
///         2014 ("Correct barrier usage"): accesses of the critical section could come after the hand-over.
/// @tparam WaitsFirst whether a thread says that it waits before it can be found
template <memory_order HandOver, bool WaitsFirst = true>
class mcs_lock {
  public:
    void lock(unsigned me) {
        node& mine = nodes_[me];
        mine.next.store(nullptr, memory_order::relaxed);
        node* const before = last_.exchange(&mine, memory_order::acq_rel);
        if (before == nullptr) return;
        if (WaitsFirst) mine.waits.store(true, memory_order::relaxed);
        before->next.store(&mine, memory_order::release);
        if (!WaitsFirst) mine.waits.store(true, memory_order::relaxed);
        while (mine.waits.load(memory_order::acquire)) std::this_thread::yield();
    }
    void unlock(unsigned me) {
        node& mine = nodes_[me];
        node* next = mine.next.load(memory_order::acquire);
        if (next == nullptr) {
            node* expected = &mine;
            if (last_.compare_exchange_strong(expected, nullptr, memory_order::release,
                                              memory_order::relaxed))
                return;
            // Somebody is behind us and about to say so.
            while ((next = mine.next.load(memory_order::acquire)) == nullptr) std::this_thread::yield();
        }
        next->waits.store(false, HandOver);
    }

  protected:
    node nodes_[3];
    std::atomic<node*> last_{nullptr};
};

/// Sees nobody behind it and leaves, without making sure: who was about to link in waits for ever.
struct leaves_without_asking : mcs_lock<memory_order::release> {
    void unlock(unsigned me) {
        node* const next = nodes_[me].next.load(memory_order::acquire);
        if (next == nullptr)
            last_.store(nullptr, memory_order::release);
        else
            next->waits.store(false, memory_order::release);
    }
};

} // namespace

VERIFY("MCS lock: three threads", .models = {rc11, tso, sc}) {
    excludes<mcs_lock<memory_order::release>>(3, 1);
}
VERIFY("MCS lock: two threads, two rounds", .models = {rc11, tso, sc}) {
    excludes<mcs_lock<memory_order::release>>(2, 2);
}
VERIFY("MCS lock, mutant: handed over relaxed", .expect = refuted) {
    excludes<mcs_lock<memory_order::relaxed>>(2, 1);
}
VERIFY("MCS lock, mutant: says that it waits after it can be found", .models = {rc11, tso, sc},
       .expect = refuted) {
    excludes<mcs_lock<memory_order::release, false>>(2, 1);
}
VERIFY("MCS lock, mutant: leaves without asking for a successor", .models = {rc11, tso, sc},
       .expect = refuted) {
    excludes<leaves_without_asking>(2, 1);
}
