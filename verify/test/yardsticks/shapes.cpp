// SPDX-License-Identifier: Apache-2.0
// Shapes that take long for what they are: locks with many threads, loops that try again, barriers, long threads.

#include "program.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>

#include <pthread.h>

namespace yardsticks {
namespace {

using enum std::memory_order;

std::atomic<int> x, y;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/// a threads that each increment two counters behind a mutex
void two_increments(const parameters& p) {
    const alike running(p.a, [] {
        pthread_mutex_lock(&mutex);
        x.store(x.load(relaxed) + 1, relaxed);
        y.store(y.load(relaxed) + 1, relaxed);
        pthread_mutex_unlock(&mutex);
    });
}

/// Two threads that each write and read a variable of their own a times, and then one of both; all seq_cst.
void long_alone(const parameters& p) {
    static std::array<std::atomic<int>, 2> own;
    threads(2, [n = p.a](int i) {
        std::atomic<int>& mine = own[static_cast<std::size_t>(i)];
        for (int k = 0; k < n; ++k) {
            mine.store(k);
            mine.load();
        }
        x.store(i);
        x.load();
    });
}

/// a threads come together twice.
void two_barriers(const parameters& p) {
    static pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, nullptr, static_cast<unsigned>(p.a));
    const alike running(p.a, [] {
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
    });
}

/// Threads that exchange what they have read, again and again until it is still there: a for 0 and three for 42, and a
/// that try once to turn a 42 back.
template <class Turns, class Returns>
void confirm(const parameters& p, Turns to_0, Returns to_42) {
    alike().add(p.a, to_0).add(3, to_42).add(p.a, [] {
        int seen = 42;
        x.compare_exchange_strong(seen, 0);
    });
}

template <int Wanted>
void confirm_looks() {
    int seen = 0;
    do seen = x.load();
    while (!x.compare_exchange_strong(seen, Wanted));
}
/// As the published test of that name does.
void confirmed_reads(const parameters& p) { confirm(p, confirm_looks<0>, confirm_looks<42>); }

/// The first look has a place of its own.
template <int Wanted>
void confirm_later_looks() {
    for (int seen = x.load(); !x.compare_exchange_strong(seen, Wanted);) seen = x.load();
}
void reads_confirmed_later(const parameters& p) {
    confirm(p, confirm_later_looks<0>, confirm_later_looks<42>);
}

/// Szymanski's lock for two, relaxed with full fences, a rounds each; where he waits only what need not wait goes on.
namespace szymanski {
std::array<std::atomic<int>, 2> at;
enum place : int { outside, at_the_door, waits_inside, in_the_doorway, door_closed };

template <class Predicate>
void goes_on_if(int other, Predicate predicate) {
    ringproof::verify::assume(predicate(at[static_cast<std::size_t>(other)].load(relaxed)));
}

void moves_to(int me, place where) {
    at[static_cast<std::size_t>(me)].store(where, relaxed);
    std::atomic_thread_fence(seq_cst);
}

void body(const parameters& p) {
    threads(2, [rounds = p.a](int me) {
        const int other = 1 - me;
        const std::atomic<int>& others = at[static_cast<std::size_t>(other)];
        for (int round = 0; round < rounds; ++round) {
            moves_to(me, at_the_door);
            goes_on_if(other, [](int where) { return where < in_the_doorway; });
            moves_to(me, in_the_doorway);
            if (others.load(relaxed) == at_the_door) {
                moves_to(me, waits_inside);
                goes_on_if(other, [](int where) { return where == door_closed; });
            }
            moves_to(me, door_closed);
            goes_on_if(other, [](int where) { return where < waits_inside; });
            x.store(me, relaxed);
            x.load(relaxed);
            VERIFY_THAT(x.load(relaxed) == me);
            std::atomic_thread_fence(seq_cst);
            // Two looks: he may have moved on in between.
            const bool outside_or_before = others.load(relaxed) < waits_inside;
            ringproof::verify::assume(outside_or_before || others.load(relaxed) > in_the_doorway);
            at[static_cast<std::size_t>(me)].store(outside, relaxed);
        }
    });
}
} // namespace szymanski

/// A seqlock of Linux: writers behind a mutex, readers that begin again. a readers and b writers, one round each.
namespace seqlock {
std::atomic<unsigned> number;
std::atomic<int> value;

void body(const parameters& p) {
    const auto read = [] {
        unsigned before = 0;
        do {
            while ((before = number.load(relaxed)) % 2 != 0) {
            }
            std::atomic_thread_fence(acq_rel);
            value.load(relaxed);
            std::atomic_thread_fence(acq_rel);
        } while (number.load() != before);
    };
    const auto write = [] {
        pthread_mutex_lock(&mutex);
        number.store(number.load(relaxed) + 1, relaxed);
        std::atomic_thread_fence(acq_rel);
        value.store(42, relaxed);
        std::atomic_thread_fence(acq_rel);
        number.store(number.load(relaxed) + 1, relaxed);
        pthread_mutex_unlock(&mutex);
    };
    alike().add(p.a, read).add(p.b, write);
}
} // namespace seqlock

/// Vyukov's bounded queue of two cells: a producers push c items each, b consumers pop the same number each.
namespace mpmc {
struct cell {
    std::atomic<std::size_t> turn;
    int item;
};
constexpr std::size_t cells = 2;
std::array<cell, cells> ring;
std::atomic<std::size_t> pushes, pops;
std::array<int, most_threads> taken;

/// Gets the next place of `count` whose cell has come to the turn `ahead` of it. @return nothing if that is yet to come
bool place(std::atomic<std::size_t>& count, std::size_t ahead, std::size_t& at) {
    at = count.load(relaxed);
    while (true) {
        const auto early = static_cast<std::ptrdiff_t>(ring[at % cells].turn.load(acquire) - (at + ahead));
        if (early < 0) return false;
        if (early == 0) {
            if (count.compare_exchange_weak(at, at + 1, relaxed)) return true;
        } else {
            at = count.load(relaxed);
        }
    }
}

template <waiting Waiting>
void body(const parameters& p) {
    for (std::size_t i = 0; i < cells; ++i) ring[i].turn.store(i, relaxed);
    taken = {};
    pushes.store(0, relaxed), pops.store(0, relaxed);
    const int all = p.a * p.c;
    threads(p.a + p.b, [producers = p.a, each = p.c, pop_each = all / p.b](int i) {
        std::size_t at = 0;
        for (int k = 0; i < producers && k < each; ++k) {
            while (!place(pushes, 0, at)) round_without_effect<Waiting>();
            ring[at % cells].item = i + 1;
            ring[at % cells].turn.store(at + 1, release);
        }
        for (int k = 0; i >= producers && k < pop_each; ++k) {
            while (!place(pops, 1, at)) round_without_effect<Waiting>();
            taken[static_cast<std::size_t>(i)] += ring[at % cells].item;
            ring[at % cells].turn.store(at + cells, release);
        }
    });
    int sum = 0;
    for (const int each : taken) sum += each;
    VERIFY_THAT(sum == p.c * p.a * (p.a + 1) / 2);
}
} // namespace mpmc

using enum waiting;

constexpr program programs[] = {
    {"lock2inc", 1, two_increments},
    {"par_length", 1, long_alone},
    {"barrier2", 1, two_barriers},
    {"conf-loop", 1, confirmed_reads},
    {"conf-loop-two-looks", 1, reads_confirmed_later},
    {"szymanski", 1, szymanski::body},
    {"seqlock", 2, seqlock::body},
    {"mpmc", 3, mpmc::body<marked>},
    {"mpmc unmarked", 3, mpmc::body<unmarked>},
};

} // namespace

std::span<const program> shape_programs() { return programs; }

} // namespace yardsticks
