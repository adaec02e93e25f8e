// SPDX-License-Identifier: Apache-2.0
// Alike threads: counts known from the literature, and programs that tell such threads apart, each with an error that only
// one of two orders has.

#include "../programs/alike.hpp"
#include "with_symmetry.hpp"

#include <ringproof/verify/check.hpp>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <semaphore.h>
#include <string>
#include <thread>
#include <threads.h>
#include <time.h>

namespace verify = ringproof::verify;
using programs::alike_threads;
using verify::explored;
using verify::failure_kind;
using verify::has;
using verify::is_found;

namespace {

std::atomic<int> x{0}, y{0}, unused{0};
int data = 0;
volatile int sink = 0; // volatile: what nobody reads is not even written
sem_t semaphore;
pthread_t first{}, handles[2]{};

/// @return how many were before
int takes_a_number() { return x.fetch_add(1, std::memory_order_relaxed); }

int written[12] = {};
void reads_and_increments() {
    int sum = 0;
    for (const int& w : written) sum += w;
    if (sum > 0) takes_a_number();
}

void two(void* (*start)(void*)) {
    for (pthread_t& t : handles) pthread_create(&t, nullptr, start, nullptr);
}
void join_both() {
    for (const pthread_t t : handles) pthread_join(t, nullptr);
}

} // namespace

TEST_CASE("alike threads that increment have one execution") {
    has(alike_threads<programs::increment, 6>, 720, 1);
}
TEST_CASE("alike threads that take a mutex have one execution") {
    has(alike_threads<programs::take_mutex, 5>, 120, 1);
}
TEST_CASE("alike threads with a ticket lock have one execution") {
    has(alike_threads<programs::take_ticket, 5>, 120, 1);
}
TEST_CASE("alike threads that try a compare-exchange until it succeeds have one execution") {
    has(alike_threads<programs::exchange_in_loop, 4>, 24, 1);
}
TEST_CASE("alike threads that push nodes of their own have one execution") {
    has(alike_threads<programs::push_node, 4>, 24, 1);
}
TEST_CASE("alike threads that write to memory of their own first have one execution") {
    has(alike_threads<programs::push_counted_node, 4>, 24, 1);
    has(alike_threads<programs::show_own_flag, 4>, 24, 1);
}
TEST_CASE("alike threads that read the same have one execution, and it stands for itself") {
    has(alike_threads<programs::read_only, 4>, 1, 1);
}
TEST_CASE("the ledger says that one order of alike threads was explored") {
    const auto has_entry = [](bool symmetry) {
        const auto found = explored(alike_threads<programs::increment, 2>, symmetry).assumptions;
        return std::any_of(found.begin(), found.end(), [](const auto& entry) {
            return entry.first.first == verify::assumption::symmetry;
        });
    };
    CHECK(has_entry(true));
    CHECK_FALSE(has_entry(false));
}
TEST_CASE("alike threads of an execution with more of them do not count in one with fewer") {
    // The second way has two threads; of the first way's three the program still knows the third.
    const auto three_or_two = [] {
        if (verify::choose(2) == 0)
            alike_threads<programs::increment, 3>();
        else
            alike_threads<programs::increment, 2>();
    };
    has(three_or_two, 6 + 2, 2);
}
TEST_CASE("what main writes does not tell apart threads that only another execution had") {
    // Between each two events of main, as some of them have the places of creations in the first way.
    const auto four_or_two = [] {
        if (verify::choose(2) == 0) return alike_threads<programs::increment, 4>();
        for (int& w : written) {
            y.store(1, std::memory_order_relaxed);
            w = 1;
        }
        alike_threads<reads_and_increments, 2>();
    };
    has(four_or_two, 24 + 2, 2);
}
TEST_CASE("threads with arguments of their own are not alike") {
    has(
        [] {
            std::thread threads[2];
            for (int i = 0; i < 2; ++i) threads[i] = std::thread([i] { x.fetch_add(i + 1); });
            for (std::thread& t : threads) t.join();
        },
        2, 2);
}

TEST_CASE("threads that are joined apart are not alike") {
    is_found(
        [] { // whoever takes the unit has to be joined first
            sem_init(&semaphore, 0, 1);
            two([](void*) -> void* { return sem_wait(&semaphore), nullptr; });
            pthread_join(handles[0], nullptr);
            sem_post(&semaphore);
            pthread_join(handles[1], nullptr);
        },
        failure_kind::deadlock);
    is_found(
        [] {
            two([](void*) -> void* {
                if (takes_a_number() == 0) y.store(1, std::memory_order_relaxed);
                return nullptr;
            });
            pthread_join(handles[0], nullptr);
            VERIFY_THAT(y.load(std::memory_order_relaxed) == 1);
            pthread_join(handles[1], nullptr);
        },
        failure_kind::assertion);
}
TEST_CASE("threads that are joined apart are not alike, whoever else is joined in between") {
    is_found(
        [] {
            two([](void*) -> void* {
                if (takes_a_number() == 0) y.store(1, std::memory_order_relaxed);
                return nullptr;
            });
            std::thread others[2];
            for (std::thread& t : others) t = std::thread([] { unused.load(std::memory_order_relaxed); });
            pthread_join(handles[0], nullptr);
            for (std::thread& t : others) t.join();
            VERIFY_THAT(y.load(std::memory_order_relaxed) == 1);
            pthread_join(handles[1], nullptr);
        },
        failure_kind::assertion);
}
TEST_CASE("threads are alike if others are created between them") {
    has(
        [] {
            std::thread threads[6];
            for (int i = 0; i < 6; ++i)
                threads[i] = i % 2 == 0 ? std::thread([] { x.fetch_add(1, std::memory_order_relaxed); })
                                        : std::thread([] { y.fetch_add(2, std::memory_order_relaxed); });
            for (std::thread& t : threads) t.join();
        },
        36, 1);
}
TEST_CASE("threads between whose creations another is joined are not alike") {
    has(
        [] {
            std::thread one([] { x.fetch_add(1, std::memory_order_relaxed); });
            std::thread other([] { y.fetch_add(1, std::memory_order_relaxed); });
            other.join();
            std::thread two([] { x.fetch_add(1, std::memory_order_relaxed); });
            one.join();
            two.join();
        },
        2, 2);
}
TEST_CASE("threads of which one alone is joined are not alike") {
    is_found(
        [] {
            data = 0;
            two([](void*) -> void* {
                if (takes_a_number() == 0) data = 1;
                return nullptr;
            });
            pthread_join(handles[0], nullptr);
            sink = data;
            pthread_join(handles[1], nullptr);
        },
        failure_kind::data_race);
}
TEST_CASE("threads between whose creations memory is written are not alike") {
    is_found(
        [] {
            const auto reads_as_the_second = [](void*) -> void* {
                if (takes_a_number() == 1) sink = data;
                return nullptr;
            };
            pthread_create(&handles[0], nullptr, reads_as_the_second, nullptr);
            data = 1;
            pthread_create(&handles[1], nullptr, reads_as_the_second, nullptr);
            join_both();
        },
        failure_kind::data_race);
}
TEST_CASE("threads between whose creations memory is read are not alike") {
    is_found(
        [] {
            const auto writes_as_the_second = [](void*) -> void* {
                if (takes_a_number() == 1) data = 1;
                return nullptr;
            };
            pthread_create(&handles[0], nullptr, writes_as_the_second, nullptr);
            sink = data;
            pthread_create(&handles[1], nullptr, writes_as_the_second, nullptr);
            join_both();
        },
        failure_kind::data_race);
}
TEST_CASE("threads between whose creations an atomic is initialised are not alike") {
    is_found(
        [] {
            static std::atomic<int> late;
            const auto uses_it_as_the_second = [](void*) -> void* {
                if (takes_a_number() == 1) late.fetch_add(1, std::memory_order_relaxed);
                return nullptr;
            };
            pthread_create(&handles[0], nullptr, uses_it_as_the_second, nullptr);
            new (&late) std::atomic<int>(0);
            pthread_create(&handles[1], nullptr, uses_it_as_the_second, nullptr);
            join_both();
        },
        failure_kind::data_race);
}
TEST_CASE("threads that ask who they are are not alike") {
    is_found(
        [] {
            two([](void*) -> void* {
                if (takes_a_number() == 0) first = pthread_self();
                return nullptr;
            });
            join_both();
            VERIFY_THAT(pthread_equal(first, handles[0]));
        },
        failure_kind::assertion);
}
TEST_CASE("threads that return what tells them apart are not alike") {
    is_found(
        [] {
            two([](void*) -> void* {
                return reinterpret_cast<void*>(static_cast<std::uintptr_t>(takes_a_number()));
            });
            void *a = nullptr, *b = nullptr;
            pthread_join(handles[0], &a);
            pthread_join(handles[1], &b);
            VERIFY_THAT(a < b);
        },
        failure_kind::assertion);
    is_found(
        [] {
            thrd_t threads[2];
            for (thrd_t& t : threads)
                thrd_create(
                    &t, [](void*) { return takes_a_number(); }, nullptr);
            int a = 0, b = 0;
            thrd_join(threads[0], &a);
            thrd_join(threads[1], &b);
            VERIFY_THAT(a < b);
        },
        failure_kind::assertion);
}
TEST_CASE("threads of which one is known to have ended are not alike") {
    is_found(
        [] {
            static int written_by_the_first;
            two([](void*) -> void* {
                if (takes_a_number() == 0) written_by_the_first = 1;
                return nullptr;
            });
            pthread_join(handles[0], nullptr);
            [[maybe_unused]] const volatile int seen = written_by_the_first; // it may be the other's
            pthread_join(handles[1], nullptr);
        },
        failure_kind::data_race);
}
TEST_CASE("threads that join each other are not alike") {
    is_found(
        [] {
            two([](void*) -> void* {
                while (y.load(std::memory_order_acquire) ==
                       0) // pthread_create() may write the handle after this begins
                    ;
                if (takes_a_number() == 1) pthread_join(handles[0], nullptr); // itself, when it is the first
                return nullptr;
            });
            y.store(1, std::memory_order_release);
        },
        failure_kind::lock_misuse);
}
TEST_CASE("threads whose clocks begin apart are not alike") {
    is_found(
        [] {
            static std::int64_t begun;
            const auto now = [] {
                timespec t{};
                clock_gettime(CLOCK_MONOTONIC, &t);
                return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
            };
            const auto the_first_is_early = [](void*) -> void* {
                timespec t{};
                if (takes_a_number() != 0) return nullptr;
                clock_gettime(CLOCK_MONOTONIC, &t);
                VERIFY_THAT(std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec - begun < 500'000'000);
                return nullptr;
            };
            begun = now();
            pthread_create(&handles[0], nullptr, the_first_is_early, nullptr);
            timespec second{1, 0};
            nanosleep(&second, nullptr);
            pthread_create(&handles[1], nullptr, the_first_is_early, nullptr);
            join_both();
        },
        failure_kind::assertion);
}
TEST_CASE("threads that go to places by the numbers of their addresses are not alike") {
    has(
        [] {
            static std::atomic<int> places[32];
            two([](void*) -> void* {
                int mine = 0;
                constexpr std::uintptr_t stack = 1 << 20;
                places[reinterpret_cast<std::uintptr_t>(&mine) / stack % 32].fetch_add(
                    1, std::memory_order_relaxed);
                return nullptr;
            });
            join_both();
        },
        1, 1);
}
namespace {
/// Looks at x before two alike threads are created, of which the first is then seen.
void looks_before(void (*go)(int&)) {
    std::thread looks([] {
        int expected = 7;
        x.compare_exchange_strong(expected, 8, std::memory_order_relaxed);
    });
    sink = y.load(std::memory_order_relaxed); // an access that reads comes behind the look
    std::thread threads[2];
    for (std::thread& t : threads) t = std::thread([go, state = 0]() mutable { go(state); });
    for (std::thread& t : threads) t.join();
    looks.join();
}
} // namespace

TEST_CASE(
    "alike threads of which one is seen before the next is created have the executions that they have") {
    const auto once = [] { looks_before([](int&) { takes_a_number(); }); };
    const auto with_state = [] {
        looks_before([](int& state) {
            state = 1;
            takes_a_number();
        });
    };
    const auto twice = [] {
        looks_before([](int& state) {
            state = takes_a_number();
            x.store(state + 10, std::memory_order_relaxed);
        });
    };
    for (void (*const program)() : {+once, +with_state, +twice}) {
        const auto all = explored(program, false), some = explored(program, true);
        CHECK(some.permutations == Approx(static_cast<double>(all.executions)));
        CHECK(some.executions == all.executions); // the search has begun anew without symmetry
    }
}
