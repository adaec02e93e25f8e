// SPDX-License-Identifier: Apache-2.0
#include "behind_loops.hpp"

#include <atomic>
#include <mutex>
#include <thread>

namespace programs {
namespace {

using enum std::memory_order;

struct shared {
    std::atomic<int> flag{0}, other{0}, done{0};
    int x = 0, copy = 0;
    std::mutex guard;
    bool ready = false;
};

void use(const int& x) { (void)*const_cast<const volatile int*>(&x); }

void wait_for(std::atomic<int>& word, int& x) {
    while (word.load(acquire) == 0) x = 0;
}

void sees_behind(std::memory_order publish, std::memory_order look) {
    static shared* s;
    shared own;
    s = &own;
    std::thread waiting([=] {
        wait_for(s->flag, s->x);
        s->done.store(1, publish);
    });
    s->flag.store(1, release);
    const int x = s->done.load(look) != 0 ? s->x : 0;
    use(x);
    waiting.join();
}

/// What the waiting thread writes lies on its own stack.
void sees_local_behind(std::memory_order publish, std::memory_order look) {
    shared s;
    std::atomic<int*> where{nullptr};
    std::thread looking([&] {
        int* const local = s.done.load(look) != 0 ? where.load(acquire) : nullptr;
        if (local) use(*local);
        s.other.store(1, release);
    });
    std::thread waiting([&] {
        int local = 0;
        where.store(&local, release);
        wait_for(s.flag, local);
        s.done.store(1, publish);
        int unused = 0;
        wait_for(s.other, unused);
    });
    s.flag.store(1, release);
    looking.join();
    waiting.join();
}

/// No other thread knows its address during the loop. The other thread's read happens after its initialization, and races
/// with the loop's writes.
void sees_local_told_behind(std::memory_order publish, std::memory_order look) {
    shared s;
    std::atomic<int*> where{nullptr};
    std::thread waiting([&] {
        int local = 0;
        s.done.store(1, release);
        wait_for(s.flag, local);
        where.store(&local, publish);
        int unused = 0;
        wait_for(s.other, unused);
    });
    std::thread looking([&] {
        s.flag.store(1, release);
        const int* const local = where.load(look);
        if (local && s.done.load(acquire) != 0) use(*local);
        s.other.store(1, release);
    });
    waiting.join();
    looking.join();
}

/// The waiting thread accesses x before its loop as well. @param tells whether others can order themselves behind that
template <class Before>
void sees_behind_and_before(Before before, bool tells) {
    static shared* s;
    shared own;
    s = &own;
    std::thread waiting([=] {
        before(*s);
        if (tells) s->other.store(1, release);
        wait_for(s->flag, s->x);
        s->done.store(1, relaxed);
    });
    s->flag.store(1, release);
    const bool sees = s->done.load(relaxed) != 0 && (!tells || s->other.load(acquire) != 0);
    const int x = sees ? s->x : 0;
    use(x);
    waiting.join();
}

template <class One, class Another>
void both(shared& s, One one, Another another) {
    std::thread first(one), second(another);
    s.flag.store(1, release);
    s.other.store(1, release);
    first.join();
    second.join();
}

/// Two alike threads wait in loops that write what each began with. The first tells the second where that is.
void sees_what_alike_one_began_with(std::memory_order publish, std::memory_order look) {
    shared s;
    std::atomic<int*> where{nullptr};
    const auto waits = [&s, &where, publish, look, own = 0]() mutable {
        int* others = nullptr;
        where.compare_exchange_strong(others, &own, release, acquire);
        wait_for(s.flag, own);
        if (others) {
            if (s.done.load(look) != 0) use(*others);
            s.other.store(1, release);
        } else {
            s.done.store(1, publish);
            int unused = 0;
            wait_for(s.other, unused); // until then it is there
        }
    };
    std::thread first(waits), second(waits);
    s.flag.store(1, release);
    first.join();
    second.join();
}

void frees_behind(std::memory_order look) {
    shared s;
    auto* const word = new std::atomic<int>(0);
    std::thread waiting([&s, word] {
        while (s.flag.load(acquire) == 0) word->load(relaxed);
        s.done.store(1, release);
    });
    s.flag.store(1, release);
    const bool is_over = s.done.load(look) != 0;
    if (is_over) delete word;
    waiting.join();
    if (!is_over) delete word;
}

void writes_behind_poll(bool locked) {
    shared s;
    std::thread polling([&s] {
        for (bool is = false; !is;) {
            const std::lock_guard within(s.guard);
            is = s.ready || s.x != 0;
        }
        s.done.store(1, relaxed);
    });
    if (locked) s.guard.lock();
    s.ready = true;
    if (locked) s.guard.unlock();
    if (s.done.load(relaxed) != 0) s.x = 0;
    polling.join();
}

} // namespace

void sees_behind_loop_unordered() { sees_behind(relaxed, relaxed); }
void sees_behind_loop_half_ordered() { sees_behind(release, relaxed); }
void sees_behind_loop() { sees_behind(release, acquire); }
void sees_what_is_written_before_loop() {
    sees_behind_and_before([](shared& all) { all.x = 0; }, false);
}
void sees_what_is_told_before_loop() {
    sees_behind_and_before([](shared& all) { all.x = 0; }, true);
}
void sees_what_is_read_before_loop() {
    sees_behind_and_before([](shared& all) { all.copy = all.x; }, false);
}
void sees_local_behind_loop_unordered() { sees_local_behind(relaxed, relaxed); }
void sees_local_behind_loop() { sees_local_behind(release, acquire); }
void sees_local_told_behind_loop_unordered() { sees_local_told_behind(relaxed, relaxed); }
void sees_local_told_behind_loop() { sees_local_told_behind(release, acquire); }

void races_in_two_loops() {
    shared s;
    both(
        s, [&s] { wait_for(s.flag, s.x); }, [&s] { wait_for(s.other, s.x); });
}
/// Each looks once before its loop, so that its first iteration is one of several reads.
void races_in_two_loops_behind_looks() {
    shared s;
    const auto waits = [&s] {
        if (s.flag.load(acquire) != 0) s.done.store(1, relaxed);
        wait_for(s.flag, s.x);
    };
    std::thread first(waits), second(waits);
    first.join();
    second.join();
}
void races_in_alike_loops() {
    shared s;
    const auto waits = [&s] { wait_for(s.flag, s.x); };
    both(s, waits, waits);
}
void sees_behind_alike_loop_unordered() { sees_what_alike_one_began_with(relaxed, relaxed); }
void sees_behind_alike_loop() { sees_what_alike_one_began_with(release, acquire); }
void writes_in_one_loop() {
    shared s;
    int own = 0;
    both(
        s, [&s] { wait_for(s.flag, s.x); }, [&s, &own] { wait_for(s.other, own); });
}

void frees_behind_loop_unordered() { frees_behind(relaxed); }
void frees_behind_loop() { frees_behind(acquire); }

void writes_behind_poll_unlocked() { writes_behind_poll(false); }
void writes_behind_poll_locked() { writes_behind_poll(true); }

} // namespace programs
