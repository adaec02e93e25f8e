// SPDX-License-Identifier: Apache-2.0
// Peterson's lock for two threads, from loads and stores alone.
// G. L. Peterson: Myths about the mutual exclusion problem. Information Processing Letters 12 (1981).
//
// Each thread says that it is interested, gives way to the other, and looks. It rests on one fact: of two threads that
// store and then look at what the other stored, at least one sees it. Interleavings have that fact; x86 does not, and
// release and acquire don't either, for a store may still be under way when the load is done (store buffering).

#include "critical_section.hpp"

#include <atomic>

namespace {

using ringproof::classic::excludes;
using std::memory_order;

template <memory_order Store, memory_order Load>
class peterson {
  public:
    void lock(unsigned me) {
        const unsigned other = 1 - me;
        interested_[me].store(true, Store);
        gives_way_.store(me, Store);
        while (interested_[other].load(Load) && gives_way_.load(Load) == me) std::this_thread::yield();
    }
    void unlock(unsigned me) { interested_[me].store(false, memory_order::release); }

  private:
    std::atomic<bool> interested_[2]{};
    std::atomic<unsigned> gives_way_{0};
};

/// Giving way by a read-modify-write: the second to do so reads from the first, and with that it sees that the first
/// is interested. No access is seq_cst (after A. Williams, 2008).
/// @tparam Look the order of looking who gave way. With relaxed this was right in C++11, where a thread's own relaxed
///         store continued its release sequence, so that whoever saw it interested in the second round had also
///         received its first. C++20 took that away (P0982), and the lock with it: only the checker notices.
template <memory_order Look>
class peterson_exchange {
  public:
    void lock(unsigned me) {
        const unsigned other = 1 - me;
        interested_[me].store(true, memory_order::relaxed);
        gives_way_.exchange(me, memory_order::acq_rel);
        while (interested_[other].load(memory_order::acquire) && gives_way_.load(Look) == me)
            std::this_thread::yield();
    }
    void unlock(unsigned me) { interested_[me].store(false, memory_order::release); }

  private:
    std::atomic<bool> interested_[2]{};
    std::atomic<unsigned> gives_way_{0};
};

/// Gives way first and is interested after that.
class gives_way_too_early {
  public:
    void lock(unsigned me) {
        const unsigned other = 1 - me;
        gives_way_.store(me);
        interested_[me].store(true);
        while (interested_[other].load() && gives_way_.load() == me) std::this_thread::yield();
    }
    void unlock(unsigned me) { interested_[me].store(false); }

  private:
    std::atomic<bool> interested_[2]{};
    std::atomic<unsigned> gives_way_{0};
};

using seq_cst = peterson<memory_order::seq_cst, memory_order::seq_cst>;
using release_acquire = peterson<memory_order::release, memory_order::acquire>;

} // namespace

VERIFY("Peterson's lock, seq_cst", .models = {rc11, tso, sc}) { excludes<seq_cst>(2, 2); }
VERIFY("Peterson's lock, giving way by an exchange", .models = {rc11, tso, sc}) {
    excludes<peterson_exchange<memory_order::acquire>>(2, 2);
}
VERIFY("Peterson's lock, giving way by an exchange, mutant: looks relaxed (right in C++11)",
       .expect = refuted) {
    excludes<peterson_exchange<memory_order::relaxed>>(2, 2);
}
VERIFY("Peterson's lock, release and acquire: right where there are only interleavings", .models = {sc}) {
    excludes<release_acquire>(2, 2);
}
VERIFY("Peterson's lock, mutant: release and acquire only", .models = {rc11, tso}, .expect = refuted) {
    excludes<release_acquire>(2, 2);
}
VERIFY("Peterson's lock, mutant: gives way before it is interested", .models = {sc}, .expect = refuted) {
    excludes<gives_way_too_early>(2, 2);
}
