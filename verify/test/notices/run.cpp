// SPDX-License-Identifier: Apache-2.0
// Runs a generated program: this file is instrumented, what it asks for is not.
#include "program.hpp"

#include <condition_variable>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <thread>

namespace ringproof::verify::notices {
namespace {

constexpr std::size_t most_steps = 8;

// At fixed places, as the memory of the program under test is restored.
struct fixed_program {
    std::size_t threads = 0;
    std::array<std::size_t, most_threads> counts{};
    std::array<std::array<step, most_steps>, most_threads> steps{};
} subject;
std::array<unsigned, most_threads> noted;

[[gnu::noinline, gnu::no_sanitize_thread]] std::size_t threads() { return subject.threads; }
[[gnu::noinline, gnu::no_sanitize_thread]] std::size_t steps_of(std::size_t thread) {
    return subject.counts[thread];
}
[[gnu::noinline, gnu::no_sanitize_thread]] step step_at(std::size_t thread, std::size_t n) {
    return subject.steps[thread][n];
}
[[gnu::noinline, gnu::no_sanitize_thread]] void forget() { noted = {}; }
[[gnu::noinline, gnu::no_sanitize_thread]] void note(std::size_t thread, unsigned value) {
    noted[thread] = noted[thread] * 4 + value;
}

/// A lock of the program's own.
class word_lock {
  public:
    void lock() {
        while (word_.exchange(1, std::memory_order_acquire) != 0) {
        }
    }
    bool try_lock() {
        int free = 0;
        return word_.compare_exchange_strong(free, 1, std::memory_order_acquire, std::memory_order_relaxed);
    }
    void unlock() { word_.store(0, std::memory_order_release); }

  private:
    std::atomic<int> word_{0};
};

/// A read-write lock of the program's own: who finds it taken gives back what he took, and tries again.
class count_lock {
  public:
    void lock() { take(all); }
    bool try_lock() {
        int free = all;
        return word_.compare_exchange_strong(free, 0, std::memory_order_acquire, std::memory_order_relaxed);
    }
    void unlock() { word_.fetch_add(all, std::memory_order_release); }
    void lock_shared() { take(1); }
    bool try_lock_shared() { return word_.load(std::memory_order_relaxed) > 0; } // looks only
    void unlock_shared() { word_.fetch_add(1, std::memory_order_release); }

  private:
    static constexpr int all = 4;
    void take(int part) {
        while (word_.fetch_sub(part, std::memory_order_acquire) < part) {
            word_.fetch_add(part, std::memory_order_relaxed);
            while (word_.load(std::memory_order_relaxed) < part) {
            }
        }
    }
    std::atomic<int> word_{all};
};

struct shared {
    std::array<std::mutex, 2> mutexes;
    word_lock word;
    std::shared_mutex read_write;
    count_lock count;
    std::condition_variable changed;
    std::array<bool, locks> there{};
    std::array<std::atomic<unsigned>, flags> flag{};
};

/// Takes a share, where a lock has that.
template <class Lock>
struct share {
    Lock& of;
    void lock() { of.lock(); }
    bool try_lock() { return of.try_lock(); }
    void unlock() { of.unlock(); }
};
template <>
struct share<std::shared_mutex> {
    std::shared_mutex& of;
    void lock() { of.lock_shared(); }
    bool try_lock() { return of.try_lock_shared(); }
    void unlock() { of.unlock_shared(); }
};

template <class Lock>
void with_lock(step_kind what, Lock& lock, bool& there, std::size_t thread,
               const std::atomic<unsigned>& over) {
    switch (what) {
    case step_kind::try_or:
        while (!lock.try_lock())
            if (over.load(std::memory_order_relaxed) != 0) return note(thread, 3);
        return lock.unlock();
    case step_kind::poll:
        for (share<Lock> to_look{lock};;) {
            to_look.lock();
            const bool found = there;
            to_look.unlock();
            if (found) return;
        }
    case step_kind::poll_free:
        for (share<Lock> to_look{lock};;) {
            if (!to_look.try_lock()) continue;
            const bool found = there;
            to_look.unlock();
            if (found) return;
        }
    case step_kind::put: {
        const std::lock_guard has(lock);
        there = true;
        return;
    }
    case step_kind::put_free:
    case step_kind::try_lock: {
        const std::unique_lock has(lock, std::try_to_lock);
        if (has && what == step_kind::put_free) there = true;
        return note(thread, has ? 1 : 2);
    }
    default: {
        const std::lock_guard has(lock);
        return;
    }
    }
}

/// @param leaves whether an attempt that failed is the last
template <class Leaves>
void both(std::mutex& first, std::mutex& second, Leaves leaves) {
    for (;;) {
        first.lock();
        if (second.try_lock()) break;
        first.unlock();
        if (leaves()) return;
    }
    second.unlock();
    first.unlock();
}

template <class Order>
void at_flag(std::atomic<unsigned>& flag, step_kind what, std::size_t thread, Order order) {
    constexpr std::memory_order mo = order;
    using enum std::memory_order;
    if (what == step_kind::store)
        flag.store(1, mo == acquire || mo == acq_rel ? release : mo);
    else if (what == step_kind::look)
        note(thread, flag.load(mo == release || mo == acq_rel ? acquire : mo));
    else
        note(thread, flag.fetch_add(0, mo));
}
template <std::memory_order Which>
using constant = std::integral_constant<std::memory_order, Which>;
void at_flag(std::atomic<unsigned>& flag, const step& s, std::size_t thread) {
    using enum std::memory_order;
    switch (s.order) { // a compiler takes an order that it does not know for the strongest
    case relaxed:
        return at_flag(flag, s.what, thread, constant<relaxed>{});
    case acquire:
        return at_flag(flag, s.what, thread, constant<acquire>{});
    case release:
        return at_flag(flag, s.what, thread, constant<release>{});
    case acq_rel:
        return at_flag(flag, s.what, thread, constant<acq_rel>{});
    default:
        return at_flag(flag, s.what, thread, constant<seq_cst>{});
    }
}

void perform(shared& s, const step& one, std::size_t thread) {
    if (one.what >= step_kind::store) return at_flag(s.flag[one.object], one, thread);
    const std::atomic<unsigned>& over = s.flag[0];
    if (one.what == step_kind::both)
        return both(s.mutexes[one.object], s.mutexes[1 - one.object], [] { return false; });
    if (one.what == step_kind::both_or)
        return both(s.mutexes[one.object], s.mutexes[1 - one.object], [&] {
            const bool leaves = over.load(std::memory_order_relaxed) != 0;
            if (leaves) note(thread, 3);
            return leaves;
        });
    bool& there = s.there[one.object];
    if (one.what == step_kind::wait) {
        std::unique_lock has(s.mutexes[one.object]);
        while (!there) s.changed.wait(has);
        return;
    }
    if (one.object < 2) return with_lock(one.what, s.mutexes[one.object], there, thread, over);
    if (one.object == 2) return with_lock(one.what, s.word, there, thread, over);
    if (one.object == 3) return with_lock(one.what, s.read_write, there, thread, over);
    if (one.what == step_kind::try_lock) return note(thread, s.count.try_lock_shared() ? 1 : 2);
    with_lock(one.what, s.count, there, thread, over);
}

void run_thread(shared& s, std::size_t thread) {
    for (std::size_t n = 0; n < steps_of(thread); ++n) perform(s, step_at(thread, n), thread);
}

} // namespace

void choose(const program& chosen) {
    subject = {};
    subject.threads = chosen.threads.size();
    for (std::size_t t = 0; t < chosen.threads.size(); ++t) {
        subject.counts[t] = chosen.threads[t].size();
        std::copy(chosen.threads[t].begin(), chosen.threads[t].end(), subject.steps[t].begin());
    }
}

void run_chosen() {
    forget();
    shared s;
    std::array<std::thread, most_threads> all;
    for (std::size_t t = 0; t < threads(); ++t) all[t] = std::thread(run_thread, std::ref(s), t);
    for (std::thread& t : all)
        if (t.joinable()) t.join();
}

std::string noted_values() {
    std::string text;
    for (const unsigned value : noted) text += std::to_string(value) + ' ';
    return text;
}

} // namespace ringproof::verify::notices
