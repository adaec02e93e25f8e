// SPDX-License-Identifier: Apache-2.0
// Szymanski's lock: any number of threads, first come first served, one small number per thread.
// B. K. Szymanski: A simple solution to Lamport's concurrent programming problem with linear wait. ICS 1988.
//
// Threads gather in a waiting room; the last one in closes the door behind it, and those inside go one by one.

#include "critical_section.hpp"

#include <array>
#include <atomic>

namespace {

using ringproof::classic::excludes;
using std::memory_order;

template <unsigned Threads, memory_order Store, memory_order Load>
class szymanski {
    enum place : unsigned { outside, at_the_door, waits_inside, in_the_doorway, door_closed };

  public:
    void lock(unsigned me) {
        at_[me].store(at_the_door, Store);
        for (unsigned other = 0; other != Threads; ++other)
            while (at_[other].load(Load) >= in_the_doorway) std::this_thread::yield();
        at_[me].store(in_the_doorway, Store);
        if (any(at_the_door)) {
            at_[me].store(waits_inside, Store);
            while (!any(door_closed)) std::this_thread::yield();
        }
        at_[me].store(door_closed, Store);
        for (unsigned other = 0; other != me; ++other)
            while (at_[other].load(Load) >= waits_inside) std::this_thread::yield();
    }
    void unlock(unsigned me) {
        for (unsigned other = me + 1; other != Threads; ++other)
            for (unsigned at = at_[other].load(Load); at == waits_inside || at == in_the_doorway;
                 at = at_[other].load(Load))
                std::this_thread::yield();
        at_[me].store(outside, Store);
    }

  private:
    bool any(place wanted) const {
        for (const std::atomic<unsigned>& at : at_)
            if (at.load(Load) == wanted) return true;
        return false;
    }

    std::array<std::atomic<unsigned>, Threads> at_{};
};

using seq_cst = szymanski<2, memory_order::seq_cst, memory_order::seq_cst>;
using release_acquire = szymanski<2, memory_order::release, memory_order::acquire>;

} // namespace

VERIFY("Szymanski's lock, seq_cst", .models = {rc11, tso, sc}) { excludes<seq_cst>(2, 1); }
VERIFY("Szymanski's lock, mutant: release and acquire only", .models = {rc11, tso}, .expect = refuted) {
    excludes<release_acquire>(2, 1);
}
