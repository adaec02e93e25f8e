// SPDX-License-Identifier: Apache-2.0
// Loops around a condition variable, beside threads that lock its mutex, try to, or wait for it until a time: a thread
// that fails to get it knows that another had it. The lock may be a mutex, with std::condition_variable or the one for any lock,
// or a read-write lock, of which the waiter has a share. Generated programs come to the same states, and to the same error, with all
// reductions and without vain-wake.
//
//   ringproof_verify_conditions [--kind NAME] [--seeds N] [--first SEED] [--show]
#include "../oracle/random_numbers.hpp"
#include "searches.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <thread>

namespace {

namespace rv = ringproof::verify;
namespace oracle = ringproof::verify::oracle;
namespace early_wakes = ringproof::verify::early_wakes;

constexpr int most_steps = 4, most_others = 3;

/// What a thread does that has no wait of its own.
enum class what : std::uint8_t {
    lock_and_set,      ///< sets `ready` with the mutex held
    try_and_set,       ///< likewise, if it gets the mutex at once, and notes whether it did
    try_else_lock,     ///< likewise, but waits for the mutex when it does not get it
    try_until_and_set, ///< tries until a time
    look_under_lock,   ///< adds 1 to what the waiter sees, with the mutex held
    set_flag,          ///< an atomic that no thread waits for
    look_at_flag,
    look_at_done, ///< whether the waiter has come through
    notify_one,
    notify_all,
    share,         ///< looks with a share of the read-write lock
    look_at_first, ///< at what the waiter tells with the mutex held
    look_at_second
};
constexpr int whats = 10; // without share and what follows
enum class locked_by : std::uint8_t { mutex, any_of_mutex, any_of_share };

struct program {
    bool waits_until;   ///< the waiter's wait may time out
    bool tries;         ///< so does the waiter take the mutex at first
    bool looks_at_flag; ///< the waiter, in each iteration
    bool tells_in_lock; ///< it says that it is through before it lets go of the mutex
    bool tells_twice;   ///< and something else before that, in two stores
    int waiter_at;      ///< how many others are created before it
    locked_by lock;
    std::memory_order flag;
    int others;
    int count[most_others];
    what steps[most_others][most_steps];
};

// At fixed places, as the memory of the program under test is restored.
program subject;
early_wakes::noted seen;

[[gnu::noinline, gnu::no_sanitize_thread]] program asked() { return subject; }
[[gnu::noinline, gnu::no_sanitize_thread]] void note(std::size_t at, unsigned value) {
    seen[at] = seen[at] * 4 + value;
}

struct shared {
    std::mutex m;
    std::condition_variable c;
    std::shared_mutex read_write;
    std::condition_variable_any any;
    bool ready = false;
    unsigned count = 0;
    std::atomic<unsigned> flag{0}, done{0}, first{0}, second{0};
};

template <class Lock, class Condition>
void wait(shared& s, typename Lock::mutex_type& m, Condition& c) {
    const program p = asked();
    Lock lock(m, std::defer_lock);
    if (!p.tries || !lock.try_lock()) lock.lock();
    unsigned sum = 0;
    while (!s.ready) {
        if (p.waits_until)
            c.wait_for(lock, std::chrono::milliseconds(1));
        else
            c.wait(lock);
        if (p.looks_at_flag) sum = s.flag.load(p.flag);
    }
    note(0, sum + 2 * (s.count & 1));
    if (p.tells_twice) {
        s.first.store(1, std::memory_order_relaxed);
        s.second.store(1, std::memory_order_release);
    }
    if (p.tells_in_lock) s.done.store(1, std::memory_order_release);
    lock.unlock();
    if (!p.tells_in_lock) s.done.store(1, std::memory_order_relaxed);
}

void waiter(shared& s) {
    switch (asked().lock) {
    case locked_by::mutex:
        return wait<std::unique_lock<std::mutex>>(s, s.m, s.c);
    case locked_by::any_of_mutex:
        return wait<std::unique_lock<std::mutex>>(s, s.m, s.any);
    case locked_by::any_of_share:
        return wait<std::shared_lock<std::shared_mutex>>(s, s.read_write, s.any);
    }
}

bool got_until(std::mutex& m, const timespec& until) {
    return pthread_mutex_timedlock(m.native_handle(), &until) == 0;
}
bool got_until(std::shared_mutex& m, const timespec& until) {
    return pthread_rwlock_timedwrlock(static_cast<pthread_rwlock_t*>(m.native_handle()), &until) == 0;
}

template <class Mutex, class Condition>
void step(shared& s, Mutex& m, Condition& c, what act, std::size_t number, const program& p) {
    switch (act) {
    case what::lock_and_set: {
        const std::lock_guard lock(m);
        s.ready = true;
        break;
    }
    case what::try_and_set:
    case what::try_else_lock: {
        std::unique_lock lock(m, std::try_to_lock);
        note(number, lock ? 1 : 2);
        if (!lock && act == what::try_and_set) break;
        if (!lock) lock.lock();
        s.ready = true;
        break;
    }
    case what::try_until_and_set: {
        const bool got = got_until(m, {1, 0});
        note(number, got ? 1 : 2);
        if (!got) break;
        s.ready = true;
        m.unlock();
        break;
    }
    case what::look_under_lock: {
        const std::lock_guard lock(m);
        ++s.count;
        break;
    }
    case what::set_flag:
        s.flag.store(1, p.flag == std::memory_order_acquire ? std::memory_order_release : p.flag);
        break;
    case what::look_at_flag:
        note(number, s.flag.load(p.flag));
        break;
    case what::look_at_done:
        note(number, s.done.load(std::memory_order_acquire));
        break;
    case what::notify_one:
        c.notify_one();
        break;
    case what::notify_all:
        c.notify_all();
        break;
    case what::share: {
        const std::shared_lock lock(s.read_write);
        note(number, 1 + s.ready);
        break;
    }
    case what::look_at_first:
        note(number, s.first.load(std::memory_order_relaxed));
        break;
    case what::look_at_second:
        note(number, s.second.load(std::memory_order_acquire));
        break;
    }
}

void other(shared& s, int n) {
    const program p = asked();
    for (int i = 0; i < p.count[n]; ++i) {
        const auto number = static_cast<std::size_t>(n) + 1;
        switch (p.lock) {
        case locked_by::mutex:
            step(s, s.m, s.c, p.steps[n][i], number, p);
            break;
        case locked_by::any_of_mutex:
            step(s, s.m, s.any, p.steps[n][i], number, p);
            break;
        case locked_by::any_of_share:
            step(s, s.read_write, s.any, p.steps[n][i], number, p);
            break;
        }
    }
}

void run() {
    shared s;
    const program p = asked();
    std::thread waits, all[most_others];
    for (int n = 0; n <= p.others; ++n) {
        // The first in the engine's order: others come to its second look later.
        if (n == p.waiter_at) waits = std::thread(waiter, std::ref(s));
        if (n < p.others) all[n] = std::thread(other, std::ref(s), n);
    }
    for (std::thread& t : all)
        if (t.joinable()) t.join();
    {
        // The waiter comes through in any case.
        const bool shares = asked().lock == locked_by::any_of_share;
        std::unique_lock lock(s.m, std::defer_lock);
        std::unique_lock shared_lock(s.read_write, std::defer_lock);
        shares ? shared_lock.lock() : lock.lock();
        s.ready = true;
    }
    asked().lock == locked_by::mutex ? s.c.notify_all() : s.any.notify_all();
    waits.join();
}

constexpr std::size_t told = 6; // the kind of that number

/// One sets `ready`, one fails to get the mutex, and others look at what the waiter tells once it has come through.
program with_three_others(oracle::random_numbers& random, program p) {
    using enum what;
    p.others = 3;
    p.tells_twice = true;
    p.waiter_at = random.below(4);
    int at[] = {0, 1, 2};
    for (int i = 2; i > 0; --i) std::swap(at[i], at[random.below(i + 1)]);
    const auto add = [&](int n, what act) { p.steps[at[n]][p.count[at[n]]++] = act; };
    const auto looks = [&] { return random.percent(50) ? look_at_first : look_at_second; };
    if (random.percent(60)) add(0, set_flag);
    add(0, random.percent(80) ? lock_and_set : try_and_set);
    if (random.percent(60)) add(0, looks());
    if (random.percent(60)) add(1, random.percent(50) ? look_at_done : look_at_flag);
    add(1, random.percent(60) ? try_and_set : random.percent(50) ? try_else_lock : try_until_and_set);
    add(1, random.percent(70) ? look_at_flag : looks());
    add(2, looks());
    if (random.percent(50)) add(2, looks());
    return p;
}

program generate(std::size_t kind, std::uint64_t seed) {
    using enum std::memory_order;
    oracle::random_numbers random(seed * 2 + kind);
    program p{};
    p.waits_until = random.percent(25);
    p.tries = random.percent(20);
    p.looks_at_flag = random.percent(40);
    p.tells_in_lock = random.percent(50);
    constexpr std::memory_order orders[] = {relaxed, acquire, seq_cst};
    p.flag = orders[random.below(3)];
    if (kind == told) return with_three_others(random, p);
    p.others = static_cast<int>(kind) % 2 + 1;
    p.lock = static_cast<locked_by>(kind / 2);
    const int steps = whats + (p.lock == locked_by::any_of_share);
    for (int n = 0; n < p.others; ++n) {
        p.count[n] = 2 + random.below(p.others == 1 ? 3 : n == 0 ? 2 : 1);
        for (int i = 0; i < p.count[n]; ++i) p.steps[n][i] = static_cast<what>(random.below(steps));
        if (random.percent(70)) // most fail to get the mutex, and set `ready` all the same
            p.steps[n][random.below(p.count[n])] =
                random.percent(70) ? what::try_else_lock : what::try_and_set;
    }
    if (p.others == 2 && random.percent(30)) {
        // Who fails comes before who sets `ready` only by what he does not see.
        p.steps[0][0] = what::set_flag;
        p.steps[0][1] = what::lock_and_set;
        p.steps[0][2] = what::look_at_done;
        p.count[0] = 3;
        p.steps[1][0] = random.percent(50) ? what::try_and_set : what::try_until_and_set;
        p.steps[1][1] = what::look_at_flag;
        p.flag = seq_cst;
    }
    return p;
}

std::string text_of(const program& p) {
    std::string text = std::string(p.waits_until ? "waits until, " : "") + (p.tries ? "tries, " : "") +
                       (p.looks_at_flag ? "looks at the flag, " : "") +
                       (p.tells_in_lock ? "tells in lock, " : "") + (p.tells_twice ? "tells twice, " : "") +
                       "waiter at " + std::to_string(p.waiter_at) + ", order " +
                       std::to_string(static_cast<int>(p.flag));
    for (int n = 0; n < p.others; ++n) {
        text += n == 0 ? ", steps" : " and";
        for (int i = 0; i < p.count[n]; ++i) text += ' ' + std::to_string(static_cast<int>(p.steps[n][i]));
    }
    return text + '\n';
}

} // namespace

int main(int argc, char** argv) {
    rv::reductions without;
    without.vain_wake = false;
    const auto make = [](std::size_t kind, std::uint64_t seed) {
        subject = generate(kind, seed);
        return text_of(subject);
    };
    std::vector<early_wakes::kind> kinds;
    for (const char* const name : {"one", "two", "one-any", "two-any", "one-share", "two-share", "told"})
        kinds.push_back({name, without, true});
    return early_wakes::compare(argc, argv, kinds, {run, seen, make});
}
