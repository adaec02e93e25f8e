// SPDX-License-Identifier: Apache-2.0
// Dekker's lock for two threads, the oldest: the two wants are settled by a turn.
// E. W. Dijkstra: Over de sequentialiteit van procesbeschrijvingen (EWD 35, about 1962), which credits T. J. Dekker.
//
// Like Peterson's lock it stores and then looks. Here that is ordered by a full fence, and all else is relaxed.

#include "critical_section.hpp"

#include <atomic>

namespace {

using ringproof::classic::excludes;
using std::memory_order;

template <bool Fenced>
class dekker {
  public:
    void lock(unsigned me) {
        const unsigned other = 1 - me;
        want(me);
        while (wants_[other].load(memory_order::relaxed)) {
            if (turn_.load(memory_order::relaxed) == me) {
                std::this_thread::yield();
                continue;
            }
            wants_[me].store(false, memory_order::relaxed);
            while (turn_.load(memory_order::relaxed) != me) std::this_thread::yield();
            want(me);
        }
        std::atomic_thread_fence(memory_order::acquire); // what the other wrote in its critical section
    }
    void unlock(unsigned me) {
        std::atomic_thread_fence(memory_order::release);
        turn_.store(1 - me, memory_order::relaxed);
        wants_[me].store(false, memory_order::relaxed);
    }

  private:
    void want(unsigned me) {
        wants_[me].store(true, memory_order::relaxed);
        if constexpr (Fenced) std::atomic_thread_fence(memory_order::seq_cst);
    }

    std::atomic<bool> wants_[2]{};
    std::atomic<unsigned> turn_{0};
};

} // namespace

VERIFY("Dekker's lock, with fences", .models = {rc11, tso, sc}) { excludes<dekker<true>>(2, 1); }
VERIFY("Dekker's lock, no fence between store and look: right where there are only interleavings",
       .models = {sc}) {
    excludes<dekker<false>>(2, 1);
}
VERIFY("Dekker's lock, mutant: no fence between store and look", .models = {rc11, tso}, .expect = refuted) {
    excludes<dekker<false>>(2, 1);
}
