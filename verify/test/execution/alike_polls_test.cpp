// SPDX-License-Identifier: Apache-2.0
// Alike threads that wait in loops: what one of them leaves out, the others do as well.

#include "../programs/alike.hpp"
#include "with_symmetry.hpp"

#include <ringproof/verify/check.hpp>

#include <atomic>
#include <mutex>
#include <semaphore.h>
#include <shared_mutex>
#include <thread>

namespace verify = ringproof::verify;
using verify::failure_kind;
using verify::has;
using verify::is_found;

namespace {

std::atomic<int> x{0}, y{0};
sem_t semaphore;

} // namespace

TEST_CASE("an alike thread does not go on while its elder waits where it is") {
    has(
        [] {
            std::thread threads[3];
            for (int i = 0; i < 2; ++i)
                threads[i] = std::thread([] {
                    while (x.load(std::memory_order_relaxed) == 0) verify::pause();
                });
            threads[2] = std::thread([] {
                x.store(1, std::memory_order_relaxed);
                x.store(0, std::memory_order_relaxed);
                y.load(std::memory_order_relaxed); // the search lets those who wait look first
                x.store(1, std::memory_order_relaxed);
            });
            for (std::thread& t : threads) t.join();
        },
        4, 3); // one reads the first 1 and the other the second, in either way
}
TEST_CASE(
    "alike threads that poll with a share of a lock have an execution for each order of their last steps") {
    has(
        [] {
            std::shared_mutex lock;
            bool there = false;
            const auto poll = [&] {
                for (bool seen = false; !seen;) {
                    const std::shared_lock hold(lock);
                    seen = there;
                }
            };
            std::thread threads[] = {std::thread(poll), std::thread(poll), std::thread([&] {
                                         const std::unique_lock hold(lock);
                                         there = true;
                                     })};
            for (std::thread& t : threads) t.join();
        },
        6, 3);
    has(
        [] {
            sem_init(&semaphore, 0, 2);
            x.store(0, std::memory_order_relaxed);
            const auto poll = [] {
                for (bool seen = false; !seen;) {
                    sem_wait(&semaphore);
                    seen = x.load(std::memory_order_relaxed) != 0;
                    sem_post(&semaphore);
                }
            };
            std::thread threads[] = {std::thread(poll), std::thread(poll),
                                     std::thread([] { x.store(1, std::memory_order_relaxed); })};
            for (std::thread& t : threads) t.join();
        },
        6, 3);
}
TEST_CASE("a loop that reads what a thread alike to its own has races with what that one does behind it") {
    is_found(
        [] {
            static std::atomic<int*> shown[2];
            static std::atomic<int> number, over, gone;
            for (std::atomic<int*>& s : shown) s.store(nullptr, std::memory_order_relaxed);
            number = over = gone = 0;
            const auto work = [] {
                int& mine = *new int(0);
                const int n = number.fetch_add(1, std::memory_order_relaxed);
                shown[n].store(&mine, std::memory_order_release);
                int* other = nullptr;
                while (!(other = shown[1 - n].load(std::memory_order_acquire))) verify::pause();
                if (n == 0) {
                    while (over.load(std::memory_order_relaxed) == 0)
                        static_cast<void>(*static_cast<volatile int*>(other));
                    gone.store(1, std::memory_order_relaxed);
                    while (over.load(std::memory_order_relaxed) != 2) verify::pause();
                } else {
                    over.store(1, std::memory_order_relaxed);
                    if (gone.load(std::memory_order_relaxed) == 1) mine = 2;
                    over.store(2, std::memory_order_relaxed);
                }
            };
            std::thread threads[] = {std::thread(work), std::thread(work)};
            for (std::thread& t : threads) t.join();
        },
        failure_kind::data_race);
}
TEST_CASE("an iteration that an elder may try again is left out as without symmetry") {
    has(programs::confirmed_by_alike, 936, 234);
}

TEST_CASE("a thread waits for ever as it does without symmetry") {
    is_found(
        [] { // who comes second waits for a third
            std::thread threads[2];
            for (std::thread& t : threads)
                t = std::thread([] {
                    const int n = x.fetch_add(1, std::memory_order_relaxed);
                    while (n == 1 && x.load(std::memory_order_relaxed) < 3) verify::pause();
                });
            for (std::thread& t : threads) t.join();
        },
        failure_kind::livelock);
}
