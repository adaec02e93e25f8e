// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <cstdlib>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#if __has_include(<barrier>)
#include <barrier>
#include <latch>
#include <semaphore>
#include <stop_token>
#endif

namespace programs {

namespace {
template <class T>
void atomic_handover(bool notify, bool all, std::memory_order publish) {
    std::atomic<T> flag{};
    int data = 0;
    together(
        [&] {
            flag.wait(T{}, std::memory_order_acquire);
            VERIFY_THAT(data == 1);
        },
        [&] {
            data = 1;
            flag.store(T{1}, publish);
            if (notify && all) flag.notify_all();
            if (notify && !all) flag.notify_one();
        });
}
} // namespace

void spins_and_counts_to_a_hundred() {
    std::atomic<int> flag{0}, rounds{0};
    together(
        [&] {
            int n = 0;
            while (flag.load() == 0) n = n == 99 ? 0 : n + 1;
            rounds.store(n);
        },
        [&] { flag.store(1); });
}

void atomic_wait_sees() { atomic_handover<int>(true, false, std::memory_order_release); }
void atomic_wait_sees_bytes() { atomic_handover<unsigned char>(true, true, std::memory_order_release); }
void atomic_wait_relaxed() { atomic_handover<long>(true, true, std::memory_order_relaxed); }
void atomic_wait_without_notify() { atomic_handover<int>(false, false, std::memory_order_release); }

void atomic_notify_before_store() {
    std::atomic<int> flag{0};
    together([&] { flag.wait(0); }, [&] { flag.notify_all(), flag.store(1); });
}

namespace {
void two_waiters(bool all) {
    std::atomic<int> flag{0};
    const auto wait = [&] { flag.wait(0); };
    together(wait, wait, [&] {
        flag.store(1);
        if (all)
            flag.notify_all();
        else
            flag.notify_one();
    });
}
} // namespace

void atomic_notify_all_wakes_two() { two_waiters(true); }
void atomic_notify_one_wakes_one() { two_waiters(false); }

/// A node is pushed whose `next` is what the compare-exchange expects: memory of the heap, changed by each failure.
void failed_push_of_a_node() {
    struct node {
        node* next;
    };
    std::atomic<node*> head{nullptr};
    const auto push_and_pop = [&] {
        node* const fresh = new node{head.load(std::memory_order_relaxed)};
        while (!head.compare_exchange_weak(fresh->next, fresh, std::memory_order_release,
                                           std::memory_order_relaxed)) {
        }
        node* top = head.load(std::memory_order_acquire);
        while (!head.compare_exchange_weak(top, top->next, std::memory_order_acquire)) {
        }
    };
    together(push_and_pop, push_and_pop);
    VERIFY_THAT(head.load() == nullptr);
}

/// The plain read in a round races, though the thread goes on without it.
void races_while_it_waits() {
    std::atomic<int> flag{0};
    int data = 0, seen = 0;
    together(
        [&] {
            while (flag.load(std::memory_order_acquire) == 0)
                if (data == 7) seen = 1;
        },
        [&] { data = 1, flag.store(1, std::memory_order_release); });
}

/// What is read in each round was read before the first as well, with nothing in between.
void reads_again_while_it_waits() {
    std::atomic<int> flags[2] = {};
    int which = 1;
    together(
        [&] {
            while (flags[which].load() == 0)
                ;
        },
        [&] { flags[1].store(1); });
}

namespace {
/// Waits until `flag` is set or `enough()`, and says that it gave up.
template <class Enough>
void wait_or_give_up(Enough enough) {
    std::atomic<int> flag{0}, gave_up{0};
    together(
        [&] {
            while (flag.load() == 0)
                if (enough()) {
                    gave_up.store(1);
                    break;
                }
        },
        [&] {
            flag.store(1);
            VERIFY_THAT(gave_up.load() == 0);
        });
}
} // namespace

void gives_up_by_chance() {
    wait_or_give_up([] { return std::rand() % 3 == 0; });
}
void library_gives_up() {
    wait_or_give_up([] { return library_count() == 4; });
}

void atomic_flag_ping_pong() {
    std::atomic<int> turn{0};
    int data = 0;
    const auto play = [&](int me) {
        for (int i = 0; i < 2; ++i) {
            for (int t = turn.load(std::memory_order_acquire); t != me;
                 t = turn.load(std::memory_order_acquire))
                turn.wait(t, std::memory_order_acquire);
            ++data;
            turn.store(1 - me, std::memory_order_release);
            turn.notify_one();
        }
    };
    together([&] { play(0); }, [&] { play(1); });
    VERIFY_THAT(data == 4);
}

namespace {
long futex(std::atomic<int>& word, int operation, int value) {
    return syscall(SYS_futex, &word, operation, value, nullptr);
}
/// "Futexes Are Tricky" (Drepper), the second mutex: 0 free, 1 taken, 2 taken and waited for.
struct futex_mutex {
    std::atomic<int> word{0};
    int waited_for = 2;
    void lock() {
        int seen = 0;
        if (word.compare_exchange_strong(seen, 1, std::memory_order_acquire)) return;
        while (word.exchange(waited_for, std::memory_order_acquire) != 0)
            futex(word, FUTEX_WAIT_PRIVATE, waited_for);
    }
    void unlock() {
        if (word.exchange(0, std::memory_order_release) == 2) futex(word, FUTEX_WAKE_PRIVATE, 1);
    }
};
void with_futex_mutex(int waited_for) {
    futex_mutex m;
    m.waited_for = waited_for;
    int count = 0;
    const auto add = [&] {
        m.lock();
        ++count;
        m.unlock();
    };
    together(add, add);
    VERIFY_THAT(count == 2);
}
} // namespace

void futex_mutex_excludes() { with_futex_mutex(2); }
void futex_mutex_forgets_to_wake() { with_futex_mutex(1); }

#if __has_include(<barrier>)

void latch_publishes() {
    std::latch done(2);
    int a = 0, b = 0;
    together([&] { a = 1, done.count_down(); }, [&] { b = 1, done.count_down(); },
             [&] {
                 done.wait();
                 VERIFY_THAT(a + b == 2);
             });
}

void latch_never_done() {
    std::latch done(2);
    together([&] { done.count_down(); }, [&] { done.wait(); });
}

void barrier_rounds_of_two() {
    int rounds = 0;
    const auto completed = [&]() noexcept { ++rounds; };
    std::barrier barrier(2, completed);
    int a = 0, b = 0;
    together(
        [&] {
            a = 1;
            barrier.arrive_and_wait();
            VERIFY_THAT(b == 1 && rounds == 1);
        },
        [&] {
            b = 1;
            barrier.arrive_and_wait();
            VERIFY_THAT(a == 1 && rounds == 1);
        });
}

void counting_semaphore_limits() {
    std::counting_semaphore<2> free(1);
    int inside = 0;
    const auto work = [&] {
        free.acquire();
        ++inside;
        --inside;
        free.release();
    };
    together(work, work);
}

void counting_semaphore_lets_two_in() {
    std::counting_semaphore<2> free(2);
    int inside = 0;
    const auto work = [&] {
        free.acquire();
        ++inside;
        free.release();
    };
    together(work, work);
}

void binary_semaphore_never_released() {
    std::binary_semaphore ready(0);
    together([&] { ready.acquire(); }, [] {});
}

void jthread_stops() {
    std::atomic<int> rounds{0};
    std::jthread worker([&](std::stop_token stop) {
        while (!stop.stop_requested()) std::this_thread::yield();
        rounds.store(1);
    });
    worker.request_stop();
    worker.join();
    VERIFY_THAT(rounds == 1);
}

#endif

namespace {
std::atomic<int> taken;
int guarded;
void lock_by_exchange() {
    while (taken.exchange(1)) {
    }
}
} // namespace

/// Textbook locks: the order of a failed exchange is that of one which succeeds.
void three_lock_by_exchange() {
    const auto count = [] {
        lock_by_exchange();
        ++guarded;
        taken.store(0, std::memory_order_release);
    };
    together(count, count, count);
    VERIFY_THAT(guarded == 3);
}
void lock_by_exchange_is_kept() {
    together([] { lock_by_exchange(); }, [] { lock_by_exchange(); });
}

/// Of rounds in which something else is done: a plain access that races, a count that gives up.
void races_while_it_exchanges() {
    int plain = 0, seen = 0;
    taken.store(1);
    together(
        [&] {
            while (taken.exchange(1)) seen = plain;
        },
        [&] {
            plain = 1;
            taken.store(0, std::memory_order_relaxed);
        });
}
void gives_up_exchanging() {
    taken.store(1);
    int rounds = 0;
    while (taken.exchange(1))
        if (++rounds == 3) break;
    VERIFY_THAT(rounds == 3);
}

} // namespace programs
