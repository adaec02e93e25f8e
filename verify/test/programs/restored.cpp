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

/// As a library that was not compiled for the checker does.
[[gnu::noinline, gnu::no_sanitize_thread]] void count_unseen(int& count) { ++count; }

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

void polls_a_slot_on_anothers_stack() {
    slot s;
    int seen = 0;
    std::thread t([&] {
        while (!s.try_pop(seen))
            ;
    });
    s.push(7); // who has the slot on its stack moves on meanwhile
    t.join();
    VERIFY_THAT(seen == 7);
}

void polls_and_counts_unseen() {
    slot s;
    int polls = 0;
    std::thread t([&] {
        for (int seen = 0; !s.try_pop(seen);) count_unseen(polls);
    });
    s.push(7);
    t.join();
    VERIFY_THAT(polls < 2);
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

void adds_until_there_are_three() {
    std::atomic<int> counted{0};
    std::thread t([&] {
        while (counted.fetch_add(1, relaxed) < 2)
            ;
    });
    t.join();
    VERIFY_THAT(counted.load() == 3);
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

void writes_between_what_a_poll_wrote() {
    // The poll exchanges the 7 of the other thread, who sees what it put there instead.
    std::atomic<int> lock{0}, there{0};
    int seen = 1;
    std::thread poller([&] {
        for (bool found = false; !found;) {
            if (lock.exchange(1, relaxed) != 0) continue;
            found = there.load() != 0;
            lock.store(0, relaxed);
        }
    });
    lock.store(7, relaxed);
    seen = lock.load(relaxed);
    lock.store(0, relaxed);
    there.store(1);
    poller.join();
    VERIFY_THAT(seen != 0);
}

void sees_what_a_poll_wrote_before_it_ended() {
    // Who has seen that the poll is over may still see what it wrote while it was not: nothing orders the two.
    std::atomic<int> word{0}, over{0};
    std::thread poller([&] {
        for (int expected = 0; word.compare_exchange_strong(expected, 1, relaxed); expected = 0)
            word.store(0, relaxed);
        over.store(1, relaxed);
    });
    std::thread ends_it([&] {
        for (int expected = 0; !word.compare_exchange_strong(expected, 5, relaxed);) expected = 0;
    });
    if (over.load(relaxed) == 1) VERIFY_THAT(word.load(relaxed) != 1);
    poller.join();
    ends_it.join();
}

void takes_two_locks_in_both_orders() {
    std::mutex a, b;
    int data = 0;
    std::thread t([&] {
        const std::scoped_lock both(a, b);
        ++data;
    });
    {
        const std::scoped_lock both(b, a);
        ++data;
    }
    t.join();
    VERIFY_THAT(data == 2);
}

void takes_two_locks_in_both_orders_while_another_tries() {
    std::mutex a, b;
    bool was_free = true;
    std::thread t([&] { const std::scoped_lock both(a, b); });
    std::thread tries([&] {
        was_free = a.try_lock();
        if (was_free) a.unlock();
        was_free = was_free || b.try_lock();
    });
    { const std::scoped_lock both(b, a); }
    t.join();
    tries.join();
    VERIFY_THAT(was_free);
}

} // namespace programs
