// SPDX-License-Identifier: Apache-2.0
#include "sequence_locks.hpp"

#include "programs.hpp"

#include <atomic>
#include <mutex>

namespace programs {

namespace {

using enum std::memory_order;

std::atomic<int> number, data;
std::mutex guard;

struct sequence_lock {
    std::memory_order begins, reads, ends; ///< of the writers' fence, and the readers' two
    int step;                              ///< from one value to the next
    int forgets = 0;                       ///< the writer that does not say that it begins, if any
};

template <sequence_lock How>
void read_under_a_sequence_lock() {
    number = data = 0;
    const auto read = [] {
        int began = 0, seen = 0;
        do {
            while ((began = number.load(relaxed)) % 2 != 0) {
            }
            if (How.reads != relaxed) std::atomic_thread_fence(How.reads);
            seen = data.load(relaxed);
            if (How.ends != relaxed) std::atomic_thread_fence(How.ends);
        } while (number.load(relaxed) != began);
        return seen * 10 + began;
    };
    const auto write = [](int by) {
        guard.lock();
        const int began = number.load(relaxed);
        if (by != How.forgets) number.store(began + 1, relaxed);
        if (How.begins != relaxed) std::atomic_thread_fence(How.begins);
        data.store(How.step == 0 ? 7 : data.load(relaxed) + How.step, relaxed);
        number.store(began + 2, release);
        guard.unlock();
    };
    together([=] { seen_by[0] = read(); }, [=] { seen_by[1] = read(); }, [=] { write(1); },
             [=] { write(2); });
}

} // namespace

void reads_under_a_sequence_lock() {
    read_under_a_sequence_lock<sequence_lock{release, acquire, acquire, 1}>();
}
void reads_under_a_sequence_lock_without_fences() {
    read_under_a_sequence_lock<sequence_lock{relaxed, relaxed, relaxed, 1}>();
}
void reads_under_a_sequence_lock_without_fences_of_readers() {
    read_under_a_sequence_lock<sequence_lock{release, relaxed, relaxed, 1}>();
}
void reads_under_a_sequence_lock_without_fences_of_writers() {
    read_under_a_sequence_lock<sequence_lock{relaxed, acquire, acquire, 1}>();
}
void reads_under_a_sequence_lock_with_fences_that_do_not_acquire() {
    read_under_a_sequence_lock<sequence_lock{release, relaxed, release, 1}>();
}
void reads_under_a_sequence_lock_of_equal_values() {
    read_under_a_sequence_lock<sequence_lock{acq_rel, acq_rel, acq_rel, 0}>();
}
void reads_under_a_sequence_lock_that_one_writer_forgets() {
    read_under_a_sequence_lock<sequence_lock{release, acquire, acquire, 1, 2}>();
}

} // namespace programs
