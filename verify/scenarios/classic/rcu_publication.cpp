// SPDX-License-Identifier: Apache-2.0
// RCU: readers look at what is published without a read-modify-write; the old is freed after all who could have seen it
// have finished (a grace period).
// M. Desnoyers, P. E. McKenney, A. S. Stern, M. R. Dagenais, J. Walpole: User-level implementations of read-copy
// update. IEEE TPDS 23(2), 2012. This is their flavour with memory barriers, for one reader.

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <thread>

namespace {

using std::memory_order;

struct version {
    int first, second;
};

/// @tparam Publish the order of publication, rcu_assign_pointer
/// @tparam Fenced whether the reader's mark is stored before it looks
/// @tparam Waits whether the writer waits for a grace period
template <memory_order Publish, bool Fenced = true, bool Waits = true>
class published {
  public:
    explicit published(version* first) : current_(first) {}

    version read() {
        reads_.store(true, memory_order::relaxed);
        if (Fenced) std::atomic_thread_fence(memory_order::seq_cst);
        const version seen = *current_.load(memory_order::acquire); // rcu_dereference
        reads_.store(false, memory_order::release);
        return seen;
    }

    void update(version* fresh) {
        version* const old = current_.load(memory_order::relaxed);
        current_.store(fresh, Publish);
        std::atomic_thread_fence(memory_order::seq_cst);
        if (Waits)
            while (reads_.load(memory_order::acquire)) std::this_thread::yield();
        delete old;
    }

    version* last() { return current_.load(memory_order::relaxed); }

  private:
    std::atomic<version*> current_;
    std::atomic<bool> reads_{false};
};

template <class Published>
void readers_see_one_version() {
    Published data(new version{1, 1});
    std::thread reader([&] {
        for (int round = 0; round != 2; ++round) {
            const version seen = data.read();
            VERIFY_THAT(seen.first == seen.second);
        }
    });
    data.update(new version{2, 2});
    reader.join();
    delete data.last();
}

} // namespace

VERIFY("RCU: readers see one version, whole, and not freed", .models = {rc11, tso, sc}) {
    readers_see_one_version<published<memory_order::release>>();
}
VERIFY("RCU, mutant: published relaxed", .expect = refuted) {
    readers_see_one_version<published<memory_order::relaxed>>();
}
VERIFY("RCU, mutant: no full fence behind the reader's mark", .models = {rc11, tso}, .expect = refuted) {
    readers_see_one_version<published<memory_order::release, false>>();
}
VERIFY("RCU, mutant: freed without a grace period", .models = {rc11, tso, sc}, .expect = refuted) {
    readers_see_one_version<published<memory_order::release, true, false>>();
}
