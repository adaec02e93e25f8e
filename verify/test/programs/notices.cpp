// SPDX-License-Identifier: Apache-2.0
#include "notices.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace programs {
namespace {

using enum std::memory_order;

/// Each try writes.
class word_lock {
  public:
    void lock() {
        while (!try_lock()) {
        }
    }
    bool try_lock() { return word_.exchange(1, acquire) == 0; }
    void unlock() { word_.store(0, release); }

  private:
    std::atomic<int> word_{0};
};

template <class Lock>
struct shared_by {
    Lock m;
    std::condition_variable changed;
    bool there = false;
    std::atomic<int> begun{0}, told{0}, done{0}, other{0};

    void poll() {
        for (;;) {
            const std::lock_guard has(m);
            if (there) return;
        }
    }
    void wait() {
        std::unique_lock has(m);
        while (!there) changed.wait(has);
    }
    void begin_and_put() {
        begun.store(1);
        const std::lock_guard has(m);
        there = true;
    }
    /// @return whether the waiting thread had left its loop before
    bool put() {
        begin_and_put();
        return done.fetch_add(0) != 0;
    }
    /// Fails when another has the mutex. @return whether it did, before anything was begun
    bool notices_before_the_begin() {
        static_cast<void>(other.load()); // by then the others are at their last looks
        const std::unique_lock has(m, std::try_to_lock);
        return !has && begun.load() == 0;
    }
};

using shared = shared_by<std::mutex>;

/// All that can be seen is seen in one execution: the wait goes on for what the try noticed.
template <class Wait>
void noticed_late(Wait wait) {
    shared s;
    bool was_through = false, noticed = false;
    std::thread waits([&] {
        wait(s);
        s.done.store(1);
    });
    std::thread puts([&] { was_through = s.put(); }), tries([&] { noticed = s.notices_before_the_begin(); });
    puts.join();
    tries.join();
    s.changed.notify_one();
    waits.join();
    VERIFY_THAT(!(was_through && noticed));
}

} // namespace

void polls_and_is_noticed_late() {
    noticed_late([](shared& s) { s.poll(); });
}
void waits_and_is_noticed_late() {
    noticed_late([](shared& s) { s.wait(); });
}

void waits_and_is_noticed_before_it_tells_twice() {
    // Who reads the first store came after the try that noticed, who reads the second one before it.
    shared s;
    bool was_told = false, was_through = false, noticed = false;
    std::thread looks([&] { was_through = s.done.load() != 0; });
    std::thread puts([&] { s.begin_and_put(); });
    std::thread tries([&] { noticed = s.notices_before_the_begin(); });
    std::thread waits([&] {
        std::unique_lock has(s.m);
        while (!s.there) s.changed.wait(has);
        s.told.store(1);
        s.done.store(1);
    });
    std::thread listens([&] { was_told = s.told.load() != 0; });
    for (std::thread* const t : {&looks, &puts, &tries, &listens}) t->join();
    s.changed.notify_one();
    waits.join();
    VERIFY_THAT(!(was_through && was_told && noticed));
}

void polls_and_is_noticed_by_two() {
    // Each of the two may notice another poll.
    shared s;
    bool was_through = false, noticed[2] = {};
    std::thread waits([&] {
        s.poll();
        s.done.store(1);
    });
    std::thread puts([&] { was_through = s.put(); });
    std::thread first([&] { noticed[0] = s.notices_before_the_begin(); });
    std::thread second([&] {
        s.other.store(1);
        noticed[1] = s.notices_before_the_begin();
    });
    for (std::thread* const t : {&waits, &puts, &first, &second}) t->join();
    VERIFY_THAT(!(was_through && noticed[0] && noticed[1]));
}

void polls_and_is_noticed_by_who_is_noticed() {
    // Who notices the poll does so while he has another mutex, in an iteration that a third one notices.
    shared s;
    std::mutex another;
    bool was_through = false, noticed = false, late = false;
    std::thread waits([&] {
        s.poll();
        s.done.store(1);
    });
    std::thread puts([&] { was_through = s.put(); });
    std::thread both([&] {
        for (;;) {
            const std::lock_guard has(another);
            const std::unique_lock free(s.m, std::try_to_lock);
            if (!free) continue;
            late = s.begun.load() != 0;
            return;
        }
    });
    std::thread tries([&] {
        static_cast<void>(s.other.load());
        const std::unique_lock has(another, std::try_to_lock);
        noticed = !has && s.begun.load() == 0;
    });
    for (std::thread* const t : {&waits, &puts, &both, &tries}) t->join();
    VERIFY_THAT(!(was_through && noticed && late));
}

/// Who notices the poll does so in a loop of his own, which he leaves for what the poller does behind the poll. `leaves`: whether
/// he sees that; `tells`: what the poller does
template <class Lock, class Leaves, class Tells>
void noticed_in_a_loop(Leaves leaves, Tells tells) {
    shared_by<Lock> s;
    bool noticed = false;
    std::thread waits([&] {
        s.poll();
        tells();
    });
    std::thread puts([&] { s.put(); });
    std::thread tries([&] {
        while (!s.m.try_lock()) {
            const int begun = s.begun.load();
            if (!leaves()) continue;
            noticed = begun == 0;
            return;
        }
        s.m.unlock();
    });
    for (std::thread* const t : {&waits, &puts, &tries}) t->join();
    VERIFY_THAT(!noticed);
}
template <class Lock>
void noticed_by_who_looks_behind() {
    std::atomic<int> over{0};
    noticed_in_a_loop<Lock>([&] { return over.load() != 0; }, [&] { over.store(1); });
}
template <class Lock>
void noticed_by_who_reads_behind() {
    std::mutex m;
    bool over = false;
    noticed_in_a_loop<Lock>(
        [&] {
            const std::lock_guard has(m);
            return over;
        },
        [&] {
            const std::lock_guard has(m);
            over = true;
        });
}

void polls_and_is_noticed_by_who_looks_behind() { noticed_by_who_looks_behind<std::mutex>(); }
void polls_and_is_noticed_by_who_reads_behind() { noticed_by_who_reads_behind<std::mutex>(); }
void polls_and_is_noticed_by_an_exchange_and_a_look() { noticed_by_who_looks_behind<word_lock>(); }

void takes_two_locks_and_tells_who_noticed() {
    // Who fails to get the second mutex looks behind that whether the other is through, and leaves.
    std::mutex a, b;
    std::atomic<int> done{0};
    bool left = false;
    std::thread first([&] {
        for (;;) {
            const std::lock_guard has(a);
            const std::unique_lock free(b, std::try_to_lock);
            if (free) break;
        }
        done.store(1);
    });
    std::thread second([&] {
        for (;;) {
            {
                const std::lock_guard has(b);
                const std::unique_lock free(a, std::try_to_lock);
                if (free) return;
            }
            if (done.load() == 0) continue;
            left = true;
            return;
        }
    });
    first.join();
    second.join();
    VERIFY_THAT(!left);
}

} // namespace programs
