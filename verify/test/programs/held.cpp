// SPDX-License-Identifier: Apache-2.0
#include "held.hpp"

#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <cerrno>
#include <linux/futex.h>
#include <mutex>
#include <pthread.h>
#include <shared_mutex>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace programs {

void waits_with_a_recursive_mutex() {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_t m;
    pthread_mutex_init(&m, &attributes);
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    bool given = false;
    int count = 0;
    together(
        [&] {
            pthread_mutex_lock(&m);
            pthread_mutex_lock(&m);
            while (!given) pthread_cond_wait(&c, &m);
            ++count;
            VERIFY_THAT(pthread_mutex_unlock(&m) == 0);
            ++count; // it is held once more
            VERIFY_THAT(pthread_mutex_unlock(&m) == 0);
        },
        [&] {
            pthread_mutex_lock(&m);
            given = true;
            pthread_cond_signal(&c);
            pthread_mutex_unlock(&m);
            pthread_mutex_lock(&m);
            ++count;
            pthread_mutex_unlock(&m);
        });
    VERIFY_THAT(count == 3);
}

void timed_waits_in_a_loop() {
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    bool given = false;
    together(
        [&] {
            const timespec soon{1, 0};
            pthread_mutex_lock(&m);
            while (!given) pthread_cond_timedwait(&c, &m, &soon);
            pthread_mutex_unlock(&m);
        },
        [&] {
            pthread_mutex_lock(&m);
            given = true; // and nobody is told
            pthread_mutex_unlock(&m);
        });
}

void condition_destroyed_while_waited_on() {
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    bool given = false;
    together(
        [&] {
            pthread_mutex_lock(&m);
            if (!given) pthread_cond_wait(&c, &m);
            pthread_mutex_unlock(&m);
        },
        [&] {
            pthread_mutex_lock(&m);
            given = true;
            pthread_cond_destroy(&c);
            pthread_mutex_unlock(&m);
        });
}

void rwlock_destroyed_while_held() {
    pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
    pthread_rwlock_rdlock(&l);
    pthread_rwlock_destroy(&l);
}

void spin_lock_of_another() {
    pthread_spinlock_t l;
    pthread_spin_init(&l, 0);
    pthread_spin_lock(&l);
    together([&] { pthread_spin_unlock(&l); });
}

void try_lock_of_a_taken_mutex() {
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    int count = 0;
    const auto add = [&] {
        if (pthread_mutex_trylock(&m) != 0) return ringproof::verify::cover("busy");
        ++count;
        pthread_mutex_unlock(&m);
    };
    together(add, add);
    ringproof::verify::cover(count == 2 ? "both" : "one");
}

void reader_before_a_writer() {
    std::shared_mutex m;
    int value = 0, seen = 0;
    together(
        [&] {
            const std::shared_lock lock(m);
            seen = value;
        },
        [&] {
            const std::unique_lock lock(m);
            value = 1;
        });
    VERIFY_THAT(seen <= 1);
}

void once_by_two_that_read() {
    pthread_once_t once = PTHREAD_ONCE_INIT;
    static int made;
    made = 0;
    const auto look = [&] {
        pthread_once(&once, [] { ++made; });
        VERIFY_THAT(made == 1);
    };
    together(look, look);
}

void barrier_that_hands_over() {
    pthread_barrier_t b;
    pthread_barrier_init(&b, nullptr, 2);
    int mine = 0, yours = 0;
    together(
        [&] {
            mine = 1;
            pthread_barrier_wait(&b);
            VERIFY_THAT(yours == 2);
        },
        [&] {
            yours = 2;
            pthread_barrier_wait(&b);
            VERIFY_THAT(mine == 1);
        });
    pthread_barrier_destroy(&b);
}

void barrier_destroyed_twice() {
    static pthread_barrier_t b;
    pthread_barrier_init(&b, nullptr, 1);
    pthread_barrier_destroy(&b);
    pthread_barrier_destroy(&b);
}

void futex_with_a_limit() {
    static int word;
    word = 7;
    const timespec soon{0, 1000};
    errno = 0;
    // It may also end early, unwoken.
    const long ended = syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 7, &soon, nullptr, 0);
    VERIFY_THAT(ended == 0 || (ended == -1 && errno == ETIMEDOUT));
    VERIFY_THAT(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 8, nullptr, nullptr, 0) == -1);
    VERIFY_THAT(errno == EAGAIN);
}

void two_signals_wake_two() {
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    int waiting = 0;
    const auto waits = [&] {
        pthread_mutex_lock(&m);
        ++waiting;
        pthread_cond_wait(&c, &m);
        pthread_mutex_unlock(&m);
    };
    together(waits, waits, [&] {
        pthread_mutex_lock(&m);
        ringproof::verify::assume(waiting == 2);
        pthread_cond_signal(&c);
        pthread_cond_signal(&c);
        pthread_mutex_unlock(&m);
    });
}

void either_is_woken_first() {
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    int waiting = 0;
    const char* first = nullptr;
    const auto waits = [&](const char* who) {
        pthread_mutex_lock(&m);
        ++waiting;
        pthread_cond_wait(&c, &m);
        if (!first) first = who;
        pthread_cond_signal(&c); // the other one
        pthread_mutex_unlock(&m);
    };
    together([&] { waits("one"); }, [&] { waits("other"); },
             [&] {
                 pthread_mutex_lock(&m);
                 ringproof::verify::assume(waiting == 2);
                 pthread_cond_signal(&c);
                 pthread_mutex_unlock(&m);
             });
    ringproof::verify::cover(first);
}

} // namespace programs
