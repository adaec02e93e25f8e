// SPDX-License-Identifier: Apache-2.0
// Read-write lock in one word: the number of readers, or the writer's mark.
// The problem: P. J. Courtois, F. Heymans, D. L. Parnas: Concurrent control with "readers" and "writers". CACM 14, 1971.

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <thread>

namespace {

using std::memory_order;

/// @tparam Leave the order in which a reader leaves. "Readers write nothing, so relaxed will do" is a common belief;
///         but the writer must come after their reads.
template <memory_order Leave>
class rw_lock {
  public:
    void read_lock() {
        for (unsigned seen = state_.load(memory_order::relaxed);;) {
            if (seen == writer) {
                std::this_thread::yield();
                seen = state_.load(memory_order::relaxed);
            } else if (state_.compare_exchange_weak(seen, seen + 1, memory_order::acquire,
                                                    memory_order::relaxed)) {
                return;
            }
        }
    }
    void read_unlock() { state_.fetch_sub(1, Leave); }

    void write_lock() {
        unsigned nobody = 0;
        while (!state_.compare_exchange_weak(nobody, writer, memory_order::acquire, memory_order::relaxed)) {
            nobody = 0;
            std::this_thread::yield();
        }
    }
    void write_unlock() { state_.store(0, memory_order::release); }

  protected:
    static constexpr unsigned writer = ~0U;
    std::atomic<unsigned> state_{0};
};

/// Sees no writer and counts itself in, in two steps: the writer comes in between.
struct looks_then_counts : rw_lock<memory_order::release> {
    void read_lock() {
        while (state_.load(memory_order::acquire) == writer) std::this_thread::yield();
        state_.fetch_add(1, memory_order::acquire);
    }
};

template <class Lock>
void readers_see_whole_pairs(unsigned readers) {
    Lock lock;
    int pair[2] = {0, 0};
    const auto read = [&] {
        lock.read_lock();
        VERIFY_THAT(pair[0] == pair[1]);
        lock.read_unlock();
    };
    std::thread writer([&] {
        lock.write_lock();
        ++pair[0], ++pair[1];
        lock.write_unlock();
    });
    std::thread second;
    if (readers == 2) second = std::thread(read);
    read();
    writer.join();
    if (readers == 2) second.join();
}

} // namespace

VERIFY("read-write lock: two readers, one writer", .models = {rc11, tso, sc}) {
    readers_see_whole_pairs<rw_lock<memory_order::release>>(2);
}
VERIFY("read-write lock, mutant: readers leave relaxed", .expect = refuted) {
    readers_see_whole_pairs<rw_lock<memory_order::relaxed>>(1);
}
VERIFY("read-write lock, mutant: a reader looks, then counts itself in", .models = {rc11, tso, sc},
       .expect = refuted) {
    readers_see_whole_pairs<looks_then_counts>(1);
}
