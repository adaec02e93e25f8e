// SPDX-License-Identifier: Apache-2.0
#include "tried_polls.hpp"

#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <chrono>
#include <mutex>

namespace programs {
namespace {

using enum std::memory_order;

/// A lock of the program's own, which a compare-exchange takes.
struct word_lock {
    std::atomic<int> taken{0};
    bool try_lock() {
        int free = 0;
        return taken.compare_exchange_strong(free, 1, acquire, relaxed);
    }
    void lock() {
        while (!try_lock()) {
        }
    }
    void unlock() { taken.store(0, release); }
};

/// One that is tried only where it looks free.
template <bool ByExchange>
struct looked_lock : word_lock {
    bool take() { return ByExchange ? taken.exchange(1, acquire) == 0 : try_lock(); }
    void lock() {
        do
            while (taken.load(relaxed) != 0) {
            }
        while (!take());
    }
};

template <class Lock>
struct flag {
    Lock m;
    bool there = false;

    bool is_there() {
        const std::unique_lock lock(m, std::try_to_lock);
        return lock.owns_lock() && there;
    }
    void poll() {
        while (!is_there()) {
        }
    }
    void put() {
        const std::lock_guard lock(m);
        there = true;
    }
};

template <class Lock>
void polls() {
    flag<Lock> f;
    together([&] { f.poll(); }, [&] { f.put(); });
}

/// Who puts is the older thread, and so comes first.
template <class Lock>
void polls_behind() {
    flag<Lock> f;
    together([&] { f.put(); }, [&] { f.poll(); });
}

template <class Lock>
void polls_for_nothing() {
    flag<Lock> f;
    together([&] { f.poll(); }, [&] { f.is_there(); });
}

/// With the lock held.
template <class Lock>
void poll_held(flag<Lock>& f) {
    for (bool seen = false; !seen;) {
        const std::lock_guard lock(f.m);
        seen = f.there;
    }
}

template <class Lock>
void two_poll_held(bool put) {
    flag<Lock> f;
    const auto polls = [&f] { poll_held(f); };
    together(polls, polls, [&f, put] {
        if (put) f.put();
    });
}

/// Whether it has the lock or not.
template <class Lock>
void polls_and_looks_anyway() {
    flag<Lock> f;
    together(
        [&] {
            for (bool seen = false; !seen;) {
                const std::unique_lock lock(f.m, std::try_to_lock);
                seen = f.there;
            }
        },
        [&] { f.put(); });
}

/// Takes the lock once a poller is done, with nothing that orders the two: it may still look taken.
template <class Take>
void takes_what_was_polled(Take take) {
    flag<looked_lock<false>> f;
    std::atomic<int> over{0};
    int failed = 0;
    together(
        [&] {
            poll_held(f);
            over.store(1, relaxed);
        },
        [&] { f.put(); },
        [&] {
            if (over.load(relaxed) == 0) return;
            take(f.m, failed);
            f.m.unlock();
        });
    VERIFY_THAT(failed == 0);
}

} // namespace

void polls_by_tries() { polls<std::mutex>(); }
void polls_by_exchanges() { polls<word_lock>(); }
void polls_behind_by_tries() { polls_behind<std::mutex>(); }
void polls_behind_by_exchanges() { polls_behind<word_lock>(); }
void polls_by_timed_tries() {
    flag<std::timed_mutex> f;
    together(
        [&] {
            for (bool seen = false; !seen;) {
                if (!f.m.try_lock_for(std::chrono::milliseconds(1))) continue;
                seen = f.there;
                f.m.unlock();
            }
        },
        [&] { f.put(); });
}
void two_poll_by_tries() {
    flag<std::mutex> f;
    together([&] { f.poll(); }, [&] { f.poll(); }, [&] { f.put(); });
}
void polls_with_a_lock_of_exchanges() {
    flag<word_lock> f;
    together([&] { poll_held(f); }, [&] { f.put(); });
}
void two_poll_where_it_looks_free() { two_poll_held<looked_lock<false>>(true); }
void two_poll_where_it_looks_free_by_exchanges() { two_poll_held<looked_lock<true>>(true); }
void two_poll_for_nothing_where_it_looks_free() { two_poll_held<looked_lock<false>>(false); }
void takes_where_it_looks_free_what_was_polled() {
    takes_what_was_polled([](auto& m, int&) { m.lock(); });
}
void counts_tries_of_what_was_polled() {
    takes_what_was_polled([](auto& m, int& failed) {
        int tries = 0; // a local: no other thread reads it
        for (;; ++tries) {
            while (m.taken.load(relaxed) != 0) {
            }
            if (m.try_lock()) break;
        }
        failed = tries;
    });
}
void polls_where_it_looks_free_while_another_looks() {
    flag<looked_lock<false>> f;
    int taken = 0;
    together([&] { poll_held(f); },
             [&] {
                 taken = f.m.taken.load(relaxed);
                 f.put();
             });
    VERIFY_THAT(taken == 0);
}
/// The poller locks the mutex, and the function that reads the flag locks it again.
void polls_with_a_mutex_taken_twice() {
    flag<std::recursive_mutex> f;
    const auto is_there = [&] {
        const std::lock_guard lock(f.m);
        return f.there;
    };
    const auto polls = [&] {
        for (bool seen = false; !seen;) {
            const std::lock_guard lock(f.m);
            seen = is_there();
        }
    };
    together(polls, polls, [&] { f.put(); });
}
void polls_by_tries_for_nothing() { polls_for_nothing<std::mutex>(); }
void polls_by_exchanges_for_nothing() { polls_for_nothing<word_lock>(); }
void polls_by_tries_and_looks_anyway() { polls_and_looks_anyway<std::mutex>(); }
void polls_by_exchanges_and_looks_anyway() { polls_and_looks_anyway<word_lock>(); }
void polls_by_tries_while_another_tries() {
    flag<std::mutex> f;
    bool was_free = true;
    together([&] { f.poll(); },
             [&] {
                 was_free = f.m.try_lock();
                 if (was_free) f.m.unlock();
                 f.put();
             });
    VERIFY_THAT(was_free);
}
void polls_by_exchanges_while_another_looks() {
    flag<word_lock> f;
    int taken = 0;
    together([&] { f.poll(); },
             [&] {
                 taken = f.m.taken.load(relaxed);
                 f.put();
             });
    VERIFY_THAT(taken == 0);
}

} // namespace programs
