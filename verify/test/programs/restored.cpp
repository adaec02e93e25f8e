// SPDX-License-Identifier: Apache-2.0
// Loops that take a lock, look, and give it back, until what they look for is there.

#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <mutex>
#include <thread>

namespace programs {
namespace {

using enum std::memory_order;

struct slot {
    std::mutex m;
    int value = 0;
    bool full = false;
    bool try_pop(int& out) {
        const std::lock_guard guard(m);
        if (!full) return false;
        out = value;
        full = false;
        return true;
    }
    void push(int what) {
        const std::lock_guard guard(m);
        value = what;
        full = true;
    }
};

struct test_and_set {
    std::atomic<int> taken{0};
    void lock() {
        while (taken.exchange(1, acquire) != 0)
            ;
    }
    void unlock() { taken.store(0, release); }
};

} // namespace

void polls_a_slot() {
    slot s;
    std::thread t([&] { s.push(7); });
    int seen = 0;
    while (!s.try_pop(seen))
        ;
    VERIFY_THAT(seen == 7);
    t.join();
}

void polls_a_slot_that_stays_empty() {
    slot s;
    int seen = 0;
    while (!s.try_pop(seen))
        ;
}

void polls_by_two_who_find_nothing() {
    slot s;
    std::atomic<int> pushed{0};
    std::thread t([&] {
        int seen = 0;
        while (!s.try_pop(seen))
            ;
    });
    std::thread u([&] {
        if (pushed.exchange(1, relaxed) == 0) s.push(1);
    });
    int seen = 0;
    while (!s.try_pop(seen))
        ;
    t.join();
    u.join();
}

void polls_with_a_lock_of_its_own() {
    test_and_set lock;
    bool there = false;
    std::thread t([&] {
        lock.lock();
        there = true;
        lock.unlock();
    });
    for (bool seen = false; !seen;) {
        lock.lock();
        seen = there;
        lock.unlock();
    }
    t.join();
}

void polls_what_is_put_without_the_lock() {
    slot s;
    std::thread t([&] {
        s.value = 7;
        s.full = true;
    });
    int seen = 0;
    while (!s.try_pop(seen))
        ;
    t.join();
}

void polls_while_another_tries() {
    // The thread that tries the mutex before it pushes can tell that the poll had taken it.
    slot s;
    bool was_free = true;
    std::thread t([&] {
        was_free = s.m.try_lock();
        if (was_free) s.m.unlock();
        s.push(7);
    });
    int seen = 0;
    while (!s.try_pop(seen))
        ;
    t.join();
    VERIFY_THAT(was_free);
}

} // namespace programs
