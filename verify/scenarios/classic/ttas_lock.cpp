// SPDX-License-Identifier: Apache-2.0
// Test and test-and-set: wait by reading, and only try to write when it looks free.
// L. Rudolph, Z. Segall: Dynamic decentralized cache schemes for MIMD parallel processors. ISCA 1984.

#include "critical_section.hpp"

#include <atomic>

namespace {

using ringproof::classic::excludes;
using std::memory_order;

template <memory_order Take, memory_order Give>
class ttas_lock {
  public:
    void lock(unsigned) {
        do {
            while (held_.load(memory_order::relaxed)) std::this_thread::yield();
        } while (held_.exchange(true, Take));
    }
    void unlock(unsigned) { held_.store(false, Give); }

  protected:
    std::atomic<bool> held_{false};
};

/// The test says that it is free, and by the time of the set it is not.
struct test_then_set : ttas_lock<memory_order::acquire, memory_order::release> {
    void lock(unsigned) {
        while (held_.load(memory_order::acquire)) std::this_thread::yield();
        held_.store(true, memory_order::release);
    }
};

} // namespace

VERIFY("TTAS lock: three threads", .models = {rc11, tso, sc}) {
    excludes<ttas_lock<memory_order::acquire, memory_order::release>>(3, 1);
}
VERIFY("TTAS lock, mutant: taken relaxed", .expect = refuted) {
    excludes<ttas_lock<memory_order::relaxed, memory_order::release>>(2, 1);
}
VERIFY("TTAS lock, mutant: given back relaxed", .expect = refuted) {
    excludes<ttas_lock<memory_order::acquire, memory_order::relaxed>>(2, 1);
}
VERIFY("TTAS lock, mutant: tested, then set", .models = {rc11, tso, sc}, .expect = refuted) {
    excludes<test_then_set>(2, 1);
}
