// SPDX-License-Identifier: Apache-2.0
// Ticket lock: take a number, wait until it is called.
// J. M. Mellor-Crummey, M. L. Scott: Algorithms for scalable synchronization on shared-memory multiprocessors.
// ACM TOCS 9(1), 1991.

#include "critical_section.hpp"

#include <atomic>
#include <memory>

namespace {

using ringproof::classic::excludes;
using std::memory_order;

template <memory_order Call>
class ticket_lock {
  public:
    void lock(unsigned) {
        const unsigned mine = next_.fetch_add(1, memory_order::relaxed);
        while (called_.load(memory_order::acquire) != mine) std::this_thread::yield();
    }
    void unlock(unsigned) { called_.store(called_.load(memory_order::relaxed) + 1, Call); }

  protected:
    std::atomic<unsigned> next_{0}, called_{0};
};

/// The number is read and counted up in two steps, so two threads may draw the same.
struct drawn_in_two_steps : ticket_lock<memory_order::release> {
    void lock(unsigned) {
        const unsigned mine = next_.load(memory_order::acquire);
        next_.store(mine + 1, memory_order::release);
        while (called_.load(memory_order::acquire) != mine) std::this_thread::yield();
    }
};

/// Looks for waiters after the lock has been given away. The next owner may have freed it by then: so did the
/// paravirtual ticket lock of Linux 3.12 to 4.0 ("Fix memory corruption on unlock", 2015); glibc's bug 13690 is the
/// same of a mutex.
struct looks_after_unlocking : ticket_lock<memory_order::release> {
    void unlock(unsigned me) {
        ticket_lock::unlock(me);
        static_cast<void>(next_.load(memory_order::relaxed));
    }
};

/// Two threads use a lock that the second one to pass through frees.
template <class Lock>
void the_last_one_frees_it() {
    struct shared {
        Lock lock;
        unsigned passed = 0;
    };
    auto* const object = new shared;
    const auto pass = [object](unsigned me) {
        object->lock.lock(me);
        const bool last = ++object->passed == 2;
        object->lock.unlock(me);
        if (last) delete object;
    };
    std::thread other(pass, 1);
    pass(0);
    other.join();
}

} // namespace

VERIFY("ticket lock: three threads", .models = {rc11, tso, sc}) {
    excludes<ticket_lock<memory_order::release>>(3, 1);
}
VERIFY("ticket lock: the last holder may free it", .models = {rc11, tso, sc}) {
    the_last_one_frees_it<ticket_lock<memory_order::release>>();
}
VERIFY("ticket lock, mutant: the next number is called relaxed", .expect = refuted) {
    excludes<ticket_lock<memory_order::relaxed>>(2, 1);
}
VERIFY("ticket lock, mutant: a number is drawn in two steps", .models = {rc11, tso, sc}, .expect = refuted) {
    excludes<drawn_in_two_steps>(2, 1);
}
VERIFY("ticket lock, mutant: looks at the lock after unlocking it", .models = {rc11, tso, sc},
       .expect = refuted) {
    the_last_one_frees_it<looks_after_unlocking>();
}
