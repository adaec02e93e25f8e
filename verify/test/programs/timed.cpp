// SPDX-License-Identifier: Apache-2.0
// Loops of timed waits, as programs have them that do not want to hang.
#include "timed.hpp"

#include "programs.hpp"
#include "shared_polls.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <semaphore.h>
#include <shared_mutex>
#include <time.h>

namespace programs {
namespace {

using namespace std::chrono_literals;

struct shared {
    std::mutex m;
    std::condition_variable changed;
    bool ready = false;

    void set() {
        const std::lock_guard lock(m);
        ready = true; // and nobody is told
    }
    void poll() {
        std::unique_lock lock(m);
        while (!ready) changed.wait_for(lock, 10ms);
    }
};

} // namespace

void loop_of_timed_waits() {
    shared s;
    together([&] { s.poll(); }, [&] { s.set(); });
}

void timed_wait_for_what_never_comes() {
    shared s;
    std::unique_lock lock(s.m);
    VERIFY_THAT(!s.changed.wait_for(lock, 10ms, [&] { return s.ready; }));
}

void loop_of_timed_waits_that_gives_up_at_a_time_out() {
    shared s;
    std::thread waiting([&] {
        std::unique_lock lock(s.m);
        while (!s.ready)
            if (s.changed.wait_for(lock, 10ms) == std::cv_status::timeout) return;
    });
    waiting.join();
}

void loop_of_timed_waits_that_goes_on_at_a_time_out() {
    shared s;
    std::unique_lock lock(s.m);
    while (!s.changed.wait_for(lock, 10ms, [&] { return s.ready; }))
        ;
}

void loop_of_timed_waits_with_a_predicate() {
    shared s;
    together(
        [&] {
            std::unique_lock lock(s.m);
            while (!s.changed.wait_for(lock, 10ms, [&] { return s.ready; })) {
            }
        },
        [&] { s.set(), s.changed.notify_one(); });
}

void loop_of_timed_waits_until_a_fixed_time() {
    shared s;
    const auto soon = std::chrono::steady_clock::time_point{} + 1s;
    together(
        [&] {
            std::unique_lock lock(s.m);
            while (!s.ready) s.changed.wait_until(lock, soon);
        },
        [&] { s.set(); });
}

void loop_of_timed_waits_on_an_atomic() {
    shared s;
    std::atomic<bool> flag{false};
    together(
        [&] {
            std::unique_lock lock(s.m);
            while (!flag) s.changed.wait_for(lock, 10ms);
        },
        [&] { flag = true; });
}

void two_pop_with_timed_waits() {
    std::mutex m;
    std::condition_variable changed;
    std::deque<int> queue;
    int sum[2] = {};
    const auto pop = [&](int i) {
        std::unique_lock lock(m);
        while (queue.empty()) changed.wait_for(lock, 1ms);
        sum[i] = queue.front();
        queue.pop_front();
    };
    together([&] { pop(0); }, [&] { pop(1); },
             [&] {
                 for (int i = 1; i <= 2; ++i) {
                     const std::lock_guard lock(m);
                     queue.push_back(i);
                     changed.notify_one();
                 }
             });
    VERIFY_THAT(sum[0] + sum[1] == 3);
}

void timed_waits_for_nothing() {
    shared s;
    together([&] { s.poll(); }, [&] { const std::lock_guard lock(s.m); });
}

void two_wait_for_nothing() {
    shared s;
    together([&] { s.poll(); }, [&] { s.poll(); });
}

void timed_waits_for_an_atomic_that_nobody_sets() {
    shared s;
    std::atomic<bool> flag{false};
    together(
        [&] {
            std::unique_lock lock(s.m);
            while (!flag) s.changed.wait_for(lock, 10ms);
        },
        [&] { s.set(); });
}

void one_of_two_waits_for_ever() {
    shared s;
    int taken = 0;
    const auto take = [&] {
        std::unique_lock lock(s.m);
        while (taken == 2 || !s.ready) s.changed.wait_for(lock, 10ms);
        if (taken == 0)
            taken = 2; // of two that may pass
        else
            ++taken;
    };
    together(take, take, [&] { s.set(); });
}

void timed_waits_that_are_counted() {
    shared s;
    static int waits;
    waits = 0;
    together(
        [&] {
            std::unique_lock lock(s.m);
            while (!s.ready) s.changed.wait_for(lock, 10ms), ++waits;
        },
        [&] { s.set(); });
}

void timed_waits_with_a_limit_of_their_own() {
    shared s;
    const auto begun = std::chrono::steady_clock::now();
    bool late = false;
    together(
        [&] {
            std::unique_lock lock(s.m);
            while (!s.ready && !late) {
                s.changed.wait_for(lock, 10ms);
                late = std::chrono::steady_clock::now() - begun > 1h;
            }
        },
        [&] { s.set(); });
    ringproof::verify::cover(late ? "late" : "in time");
}

void time_out_that_is_taken_for_a_change() {
    shared s;
    together(
        [&] {
            std::unique_lock lock(s.m);
            bool passed = false;
            while (!s.ready && !passed) passed = s.changed.wait_for(lock, 10ms) == std::cv_status::timeout;
            VERIFY_THAT(s.ready);
        },
        [&] { s.set(); });
}

void loop_of_timed_tries() {
    std::timed_mutex m;
    int count = 0;
    const auto add = [&] {
        while (!m.try_lock_for(1ms)) {
        }
        ++count;
        m.unlock();
    };
    together(add, add);
    VERIFY_THAT(count == 2);
}

static bool comes_free(std::shared_timed_mutex& m) {
    return m.try_lock_shared_for(100ms) || m.try_lock_for(100ms);
}
static bool comes_within_a_second(sem_t& semaphore) {
    timespec until{};
    clock_gettime(CLOCK_REALTIME, &until);
    ++until.tv_sec;
    return sem_timedwait(&semaphore, &until) == 0;
}

void time_has_passed_when_a_timed_lock_gives_up() {
    std::timed_mutex m;
    std::shared_timed_mutex s;
    sem_t semaphore;
    sem_init(&semaphore, 0, 0);
    m.lock();
    s.lock();
    together([&] {
        const auto begun = std::chrono::steady_clock::now();
        VERIFY_THAT(!m.try_lock_for(100ms));
        VERIFY_THAT(std::chrono::steady_clock::now() - begun >= 100ms);
        VERIFY_THAT(!comes_free(s));
        VERIFY_THAT(std::chrono::steady_clock::now() - begun >= 300ms);
        VERIFY_THAT(!comes_within_a_second(semaphore));
        VERIFY_THAT(std::chrono::steady_clock::now() - begun >= 1300ms);
    });
    m.unlock();
    s.unlock();
}

void timed_locks_until_a_limit() {
    std::timed_mutex m;
    together(
        [&] {
            const auto end = std::chrono::steady_clock::now() + 3ms;
            while (!m.try_lock_for(1ms))
                if (std::chrono::steady_clock::now() > end) return ringproof::verify::cover("late");
            m.unlock();
            ringproof::verify::cover("locked");
        },
        [&] { const std::lock_guard lock(m); });
}

void loop_of_tries_that_reads_what_races() {
    std::mutex m;
    bool stop = false;
    together(
        [&] {
            while (!m.try_lock())
                if (stop) return;
            m.unlock();
        },
        [&] {
            const std::lock_guard lock(m);
            stop = true;
        });
}

namespace {

/// A function of the program that is called like one of the library's.
bool wait_for_ready(const std::atomic<bool>& ready) {
    const auto end = std::chrono::steady_clock::now() + 1s;
    while (!ready)
        if (std::chrono::steady_clock::now() > end) return false;
    return true;
}

} // namespace

void own_function_called_like_a_timed_wait() {
    std::atomic<bool> ready{false};
    together([&] { ringproof::verify::cover(wait_for_ready(ready) ? "ready" : "late"); },
             [&] { ready = true; });
}

} // namespace programs
