// SPDX-License-Identifier: Apache-2.0
// Weak compare-exchanges that fail although they see what they expect, and waits that end although nobody wakes them.

#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <future>
#include <linux/futex.h>
#include <mutex>
#include <sys/syscall.h>
#include <unistd.h>

namespace programs {
namespace {

template <bool Weak>
bool exchange(std::atomic<int>& x, int& expected, int desired,
              std::memory_order failure = std::memory_order_seq_cst) {
    if constexpr (Weak)
        return x.compare_exchange_weak(expected, desired, std::memory_order_seq_cst, failure);
    else
        return x.compare_exchange_strong(expected, desired, std::memory_order_seq_cst, failure);
}

template <bool Weak>
void once() {
    std::atomic<int> x{0};
    int expected = 0;
    VERIFY_THAT(exchange<Weak>(x, expected, 1));
}

template <bool Weak>
void carried_on() {
    std::atomic<int> x{0};
    const auto add = [&] {
        int seen = x.load(std::memory_order_relaxed);
        while (!exchange<Weak>(x, seen, seen + 1, std::memory_order_relaxed)) {
        }
    };
    together(add, add);
    VERIFY_THAT(x == 2);
}

template <bool Weak>
void looked_at_again() {
    std::atomic<int> x{0};
    const auto add = [&] {
        int seen = 0;
        do seen = x.load(std::memory_order_acquire);
        while (!exchange<Weak>(x, seen, seen + 1, std::memory_order_relaxed));
    };
    together(add, add);
    VERIFY_THAT(x == 2);
}

template <bool Weak>
void spin_lock() {
    std::atomic<int> taken{0};
    int count = 0;
    const auto enter = [&] {
        int expected = 0;
        while (!exchange<Weak>(taken, expected, 1)) expected = 0;
        ++count;
        taken.store(0);
    };
    together(enter, enter);
    VERIFY_THAT(count == 2);
}

struct shared {
    std::mutex m;
    std::condition_variable changed;
    int value = 0;

    void set() {
        {
            const std::lock_guard lock(m);
            value = 1;
        }
        changed.notify_one();
    }
};

long futex(std::atomic<int>& word, int operation, int value) {
    return syscall(SYS_futex, &word, operation, value, nullptr, nullptr, 0);
}

} // namespace

void weak_exchange_once() { once<true>(); }
void strong_exchange_once() { once<false>(); }
void weak_value_carried_on() { carried_on<true>(); }
void strong_value_carried_on() { carried_on<false>(); }
void weak_value_looked_at_again() { looked_at_again<true>(); }
void strong_value_looked_at_again() { looked_at_again<false>(); }
void weak_spin_lock() { spin_lock<true>(); }
void strong_spin_lock() { spin_lock<false>(); }

void two_attempts() {
    std::atomic<int> x{0};
    int expected = 0;
    bool done = false;
    for (int i = 0; i < 2 && !done; ++i) done = x.compare_exchange_weak(expected, 1);
    VERIFY_THAT(done);
}

void failures_are_counted() {
    std::atomic<int> x{0};
    int expected = 0, failures = 0;
    while (!x.compare_exchange_weak(expected, 1)) ++failures;
    seen_by[0] = failures;
}

void failure_reads_what_is_written() {
    std::atomic<int> x{0};
    int statistics = 0;
    together(
        [&] {
            int expected = 0;
            while (!x.compare_exchange_weak(expected, 1))
                if (statistics != 0) break;
        },
        [&] { statistics = 1; });
}

void failure_of_a_later_value() {
    std::atomic<int> x{0};
    bool failed = false;
    together(
        [&] {
            int expected = 1;
            failed = !x.compare_exchange_weak(expected, 2) && expected == 1;
        },
        [&] { x.store(1); });
    VERIFY_THAT(!failed);
}

void wait_in_a_loop() {
    shared s;
    together(
        [&] {
            std::unique_lock lock(s.m);
            s.changed.wait(lock, [&] { return s.value == 1; });
        },
        [&] { s.set(); });
}

void wait_in_a_loop_on_static_data() {
    static shared s;
    s.value = 0;
    together(
        [&] {
            std::unique_lock lock(s.m);
            while (s.value == 0) s.changed.wait(lock);
        },
        [&] {
            std::unique_lock lock(s.m);
            while (s.value == 0) s.changed.wait(lock);
        },
        [&] {
            {
                const std::lock_guard lock(s.m);
                s.value = 1;
            }
            s.changed.notify_all();
        });
}

// It goes on before the notification, although it waited: only a wait that ends on its own does so.
void wait_before_the_notification() {
    shared s;
    std::atomic<int> about_to_notify{0};
    together(
        [&] {
            std::unique_lock lock(s.m);
            bool waited = false;
            while (s.value == 0) {
                waited = true;
                s.changed.wait(lock);
            }
            if (waited) VERIFY_THAT(about_to_notify == 1);
        },
        [&] {
            {
                const std::lock_guard lock(s.m);
                s.value = 1;
            }
            about_to_notify = 1;
            s.changed.notify_one();
        });
}

void timed_wait_without_a_look() {
    shared s;
    together(
        [&] {
            std::unique_lock lock(s.m);
            if (s.value == 0 &&
                s.changed.wait_for(lock, std::chrono::seconds(1)) == std::cv_status::no_timeout)
                VERIFY_THAT(s.value == 1);
        },
        [&] { s.set(); });
}

void futex_without_a_look() {
    std::atomic<int> word{0};
    together(
        [&] {
            futex(word, FUTEX_WAIT, 0);
            VERIFY_THAT(word == 1);
        },
        [&] { word = 1, futex(word, FUTEX_WAKE, 1); });
}

// As the threads of a pool do: three pieces of work, and the end.
void worker_takes_pieces() {
    std::mutex m;
    std::condition_variable changed;
    int pieces = 0, done = 0;
    bool stop = false;
    together(
        [&] {
            for (;;) {
                std::unique_lock lock(m);
                changed.wait(lock, [&] { return stop || pieces > 0; });
                if (pieces == 0) break;
                --pieces, ++done;
            }
            VERIFY_THAT(done == 3);
        },
        [&] {
            for (int i = 0; i < 4; ++i) {
                {
                    const std::lock_guard lock(m);
                    if (i < 3)
                        ++pieces;
                    else
                        stop = true;
                }
                changed.notify_one();
            }
        });
}

void waits_are_counted() {
    shared s;
    together(
        [&] {
            std::unique_lock lock(s.m);
            int waits = 0;
            while (s.value == 0) {
                s.changed.wait(lock);
                ++waits;
            }
            seen_by[0] = waits;
        },
        [&] { s.set(); });
}

// Sets a bit that says that someone waits: by the second time it is there already. `WhatItSaw`: waits for what a failed
// compare-exchange saw, which may be the last change there is.
template <bool WhatItSaw>
void mark_and_wait() {
    constexpr int done = 1, waits = 8;
    std::atomic<int> word{0};
    together(
        [&] {
            for (int last = word.load(); (last & done) == 0; last = word.load()) {
                int expected = last;
                word.compare_exchange_strong(expected, last | waits);
                futex(word, FUTEX_WAIT, (WhatItSaw ? expected : last) | waits);
            }
        },
        [&] { word.fetch_or(done), futex(word, FUTEX_WAKE, 1); });
}
void futex_that_marks_again() { mark_and_wait<false>(); }
void futex_that_waits_for_what_it_saw() { mark_and_wait<true>(); }

void promise_is_kept() {
    std::promise<int> promise;
    std::future<int> kept = promise.get_future();
    int before = 0;
    together([&] { VERIFY_THAT(kept.get() == 3 && before == 1); },
             [&] {
                 before = 1;
                 promise.set_value(3);
             });
}

void futex_in_a_loop() {
    std::atomic<int> word{0};
    together(
        [&] {
            while (word == 0) futex(word, FUTEX_WAIT, 0);
            VERIFY_THAT(word == 1);
        },
        [&] { word = 1, futex(word, FUTEX_WAKE, 1); });
}

void atomic_wait_looks_again() {
    std::atomic<int> word{0};
    together(
        [&] {
            word.wait(0);
            VERIFY_THAT(word == 1);
        },
        [&] { word = 1, word.notify_one(); });
}

} // namespace programs
