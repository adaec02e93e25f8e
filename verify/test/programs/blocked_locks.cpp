// SPDX-License-Identifier: Apache-2.0
// Threads that wait for locks of all kinds.

#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <array>
#include <atomic>
#include <pthread.h>
#include <thread>

namespace programs {
namespace {

using enum std::memory_order;

pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
std::atomic<int> taken, flag;
int counted;

template <int Threads, class Function>
void run_threads(Function f) {
    std::array<std::thread, Threads> all;
    for (int i = 0; i < Threads; ++i) all[static_cast<std::size_t>(i)] = std::thread(f, i);
    for (std::thread& t : all) t.join();
}

} // namespace

void locks_four_threads_one_mutex() {
    run_threads<4>([](int) {
        pthread_mutex_lock(&first);
        ++counted;
        pthread_mutex_unlock(&first);
    });
    VERIFY_THAT(counted == 4);
}

void locks_four_threads_one_exchange() {
    run_threads<4>([](int) {
        while (taken.exchange(1, acquire) != 0)
            ;
        ++counted;
        taken.store(0, release);
    });
    VERIFY_THAT(counted == 4);
}

void locks_exchange_without_release() {
    run_threads<2>([](int) {
        while (taken.exchange(1, acquire) != 0)
            ;
        ++counted;
        taken.store(0, relaxed);
    });
}

void locks_two_in_both_orders() {
    run_threads<2>([](int i) {
        pthread_mutex_t* const mine = i == 0 ? &first : &second;
        pthread_mutex_t* const other = i == 0 ? &second : &first;
        pthread_mutex_lock(mine);
        pthread_mutex_lock(other);
        pthread_mutex_unlock(other);
        pthread_mutex_unlock(mine);
    });
}

void locks_holder_waits_for_the_other() {
    run_threads<2>([](int i) {
        pthread_mutex_lock(&first);
        if (i == 0)
            while (flag.load(acquire) == 0)
                ;
        else
            flag.store(1, release);
        pthread_mutex_unlock(&first);
    });
}

void locks_mutex_after_a_store() {
    // sc forbids that the first lock's order and the flag's tell two stories; a thread that only waits says nothing.
    run_threads<2>([](int i) {
        if (i == 0) {
            flag.store(1, relaxed);
            pthread_mutex_lock(&first);
            pthread_mutex_unlock(&first);
        } else {
            pthread_mutex_lock(&first);
            pthread_mutex_unlock(&first);
            pthread_mutex_lock(&first);
            (void)flag.load(relaxed);
            pthread_mutex_unlock(&first);
        }
    });
}

void locks_three_threads_test_and_compare() {
    run_threads<3>([](int) {
        for (int free = 0;
             taken.load(relaxed) != 0 || !taken.compare_exchange_strong(free, 1, acquire, relaxed);)
            free = 0;
        taken.store(0, release);
    });
}

void locks_either_of_two_flags() {
    run_threads<2>([](int i) {
        if (i == 0) return flag.store(1, relaxed);
        while (flag.load(relaxed) == 0 && taken.load(relaxed) == 0)
            ;
    });
}

void locks_taken_and_opened_by_others() {
    // Where the lock is taken last, the first thread waits for ever.
    run_threads<3>([](int i) {
        if (i == 0) return taken.store(1, relaxed);
        if (i == 1) return taken.store(0, relaxed);
        while (taken.exchange(1, relaxed) == 1)
            ;
    });
}

} // namespace programs
