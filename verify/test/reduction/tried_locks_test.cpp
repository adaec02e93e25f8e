// SPDX-License-Identifier: Apache-2.0
// Loops that try a lock of libc until they have it have the executions of those that wait for it.

#include <ringproof/verify/explore.hpp>
#include <ringproof/verify/verify.hpp>

#include <array>
#include <catch2/catch.hpp>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>
#include <shared_mutex>
#include <thread>

namespace verify = ringproof::verify;
using verify::failure_kind;

namespace {

std::mutex mutex;
std::shared_mutex shared;
std::timed_mutex timed;
sem_t semaphore;
pthread_spinlock_t spin;
int data = 0;

/// Three threads with numbers, so that none is like another.
template <class Function>
verify::exploration_result three(Function function) {
    verify::exploration_options options;
    options.limits.executions = 10'000;
    return verify::explore(
        [&] {
            data = 0;
            sem_init(&semaphore, 0, 1);
            pthread_spin_init(&spin, 0);
            std::array<std::thread, 3> threads;
            for (std::size_t i = 0; i < threads.size(); ++i) threads[i] = std::thread(function, i);
            for (std::thread& t : threads) t.join();
        },
        options);
}
template <class Function>
void has(std::uint64_t executions, Function function) {
    const auto r = three(function);
    CAPTURE(r.error.message);
    CHECK(r.error.kind == failure_kind::nothing);
    CHECK(r.executions == executions);
    CHECK(r.blocked == 0);
    CHECK_FALSE(r.stopped);
}

} // namespace

TEST_CASE("a mutex that is tried in a loop has n! executions, with and without a yield") {
    has(6, [](std::size_t) {
        while (!mutex.try_lock()) {
        }
        ++data;
        mutex.unlock();
    });
    has(6, [](std::size_t) {
        while (!mutex.try_lock()) std::this_thread::yield();
        ++data;
        mutex.unlock();
    });
    has(6, [](std::size_t) {
        while (!timed.try_lock()) {
        }
        ++data;
        timed.unlock();
    });
}
TEST_CASE("a semaphore and a spin lock that are tried in a loop have n! executions") {
    has(6, [](std::size_t) {
        while (sem_trywait(&semaphore) != 0) {
        }
        ++data;
        sem_post(&semaphore);
    });
    has(6, [](std::size_t) {
        while (pthread_spin_trylock(&spin) != 0) {
        }
        ++data;
        pthread_spin_unlock(&spin);
    });
}
TEST_CASE("a read-write lock that is tried in a loop has the executions of one that is waited for") {
    has(6, [](std::size_t) {
        while (!shared.try_lock()) {
        }
        ++data;
        shared.unlock();
    });
    has(90, [](std::size_t) { // (2k)!/2^k interleavings of k readers
        while (!shared.try_lock_shared()) {
        }
        VERIFY_THAT(data == 0);
        shared.unlock_shared();
    });
}
TEST_CASE("a lock that is tried for ever is a livelock, if it is never given back") {
    const auto r = three([](std::size_t i) {
        while (!mutex.try_lock()) {
        }
        ++data;
        if (i != 1) mutex.unlock();
    });
    CHECK(r.error.kind == failure_kind::livelock);
}
TEST_CASE("what a loop that tries leaves unprotected is a race") {
    const auto r = three([](std::size_t i) {
        bool has = mutex.try_lock();
        while (!has && i != 1) has = mutex.try_lock(); // the second goes on without
        ++data;
        if (has) mutex.unlock();
    });
    CHECK(r.error.kind == failure_kind::data_race);
}
TEST_CASE("a loop that counts its tries, and gives up, is explored where it does") {
    const auto r = three([](std::size_t) {
        for (int tries = 0; !mutex.try_lock(); ++tries)
            if (tries == 2) return verify::cover("gave up");
        ++data;
        mutex.unlock();
        verify::cover("had it");
    });
    CHECK(r.error.kind == failure_kind::nothing);
    CHECK(r.covered == std::set<std::string>{"gave up", "had it"});
    CHECK(r.executions > 6);
}
