// SPDX-License-Identifier: Apache-2.0
// Loops that wait, with and without a yield.
#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <condition_variable>
#include <mutex>

namespace programs {

namespace {
constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;

void yield() { std::this_thread::yield(); }
void do_nothing() {}

template <class Between>
void wait_for_flag(Between between) {
    std::atomic<int> flag{0};
    int data = 0;
    together([&] { data = 1, flag.store(1, release); },
             [&] {
                 while (!flag.load(acquire)) between();
                 VERIFY_THAT(data == 1);
             });
}

template <class Between>
void wait_for_two_flags(Between between) {
    std::atomic<int> one{0}, other{0};
    together([&] { one.store(1, relaxed), other.store(1, relaxed); },
             [&] {
                 while (!one.load(relaxed) || !other.load(relaxed)) between();
             });
}

/// Each round has two reads, the last of a word that no thread writes.
template <class Between>
void wait_for_one_of_two_flags(Between between) {
    std::atomic<int> one{0}, other{0};
    together([&] { other.store(1, relaxed); },
             [&] {
                 while (!other.load(relaxed) && !one.load(relaxed)) between();
             });
}

template <class Between>
void lock_by_test_and_set(Between between) {
    std::atomic<bool> taken{false};
    int data = 0;
    const auto add = [&] {
        while (taken.exchange(true, acquire)) between();
        ++data;
        taken.store(false, release);
    };
    together(add, add);
    VERIFY_THAT(data == 2);
}
} // namespace

void waits_for_a_flag() { wait_for_flag(do_nothing); }
void waits_for_a_flag_and_yields() { wait_for_flag(yield); }
void waits_for_a_flag_and_yields_first() {
    std::atomic<int> flag{0};
    together([&] { flag.store(1, relaxed); },
             [&] {
                 do yield();
                 while (!flag.load(relaxed));
             });
}
void waits_for_two_flags() { wait_for_two_flags(do_nothing); }
void waits_for_two_flags_and_yields() { wait_for_two_flags(yield); }

void waits_for_one_of_two_flags() { wait_for_one_of_two_flags(do_nothing); }
void waits_for_one_of_two_flags_and_yields() { wait_for_one_of_two_flags(yield); }

void waits_with_a_fence() {
    wait_for_flag([] { std::atomic_thread_fence(std::memory_order_seq_cst); });
}

void waits_by_compare_exchange() {
    std::atomic<int> word{0};
    together([&] { word.store(1); },
             [&] {
                 for (int expected = 1; !word.compare_exchange_strong(expected, 2); expected = 1) {
                 }
             });
}

void spins_on_a_test_and_set() { lock_by_test_and_set(do_nothing); }
void spins_on_a_test_and_set_and_yields() { lock_by_test_and_set(yield); }

/// Only the thread that holds it from the beginning gives it back.
void spins_on_a_held_test_and_set() {
    std::atomic<bool> taken{true};
    together([&] { taken.store(false, release); },
             [&] {
                 while (taken.exchange(true, acquire)) {
                 }
             });
}

void spins_on_a_try_lock() {
    std::mutex guard;
    const auto take = [&] {
        while (!guard.try_lock()) {
        }
        guard.unlock();
    };
    together(take, take);
}

/// The loop may read 0 for a while, but 1 was written before it began: no other thread has to run.
void reads_an_old_value_again() {
    std::atomic<int> data{0}, flag{0};
    together([&] { data.store(1, relaxed), flag.store(1, relaxed); },
             [&] {
                 while (!flag.load(relaxed)) yield();
                 while (!data.load(relaxed)) {
                 }
             });
}
void reads_an_old_value_of_two_again() {
    std::atomic<int> one{0}, other{0}, flag{0};
    together([&] { one.store(1, relaxed), other.store(1, relaxed), flag.store(1, relaxed); },
             [&] {
                 while (!flag.load(relaxed)) yield();
                 while (!one.load(relaxed) || !other.load(relaxed)) {
                 }
             });
}

/// Each waits for the other in turn, and only one of the two loops yields.
void waits_for_who_waits_for_it() {
    std::atomic<int> turn{0};
    together(
        [&] {
            turn.store(1, release);
            while (turn.load(acquire) != 2) yield();
        },
        [&] {
            while (turn.load(acquire) != 1) {
            }
            turn.store(2, release);
        });
}

/// A round that fails has failed because another thread has done its work.
void adds_by_compare_exchange() {
    std::atomic<int> sum{0};
    const auto add = [&] {
        int before = sum.load(relaxed);
        while (!sum.compare_exchange_weak(before, before + 1, relaxed)) {
        }
    };
    together(add, add);
    VERIFY_THAT(sum.load() == 2);
}

void waits_by_library() {
    std::mutex guard;
    std::condition_variable changed;
    std::atomic<int> flag{0};
    bool ready = false;
    together(
        [&] {
            std::unique_lock<std::mutex> lock(guard);
            changed.wait(lock, [&] { return ready; });
            flag.wait(0);
        },
        [&] {
            {
                const std::lock_guard<std::mutex> lock(guard);
                ready = true;
            }
            changed.notify_one();
            flag.store(1);
            flag.notify_one();
        });
}

} // namespace programs
