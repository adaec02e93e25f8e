// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <atomic>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>
#include <shared_mutex>
#include <stdexcept>

namespace programs {

void readers_share() {
    std::shared_mutex m;
    std::atomic<int> inside{0};
    const auto read = [&] {
        const std::shared_lock lock(m);
        if (inside.fetch_add(1) == 1) ringproof::verify::cover("two at once");
        inside.fetch_sub(1);
    };
    together(read, read);
}

void reader_writes() {
    std::shared_mutex m;
    int data = 0;
    const auto read = [&] {
        const std::shared_lock lock(m);
        ++data;
    };
    together(read, read);
}

void writers_exclude() {
    std::shared_mutex m;
    int data = 0;
    const auto write = [&] {
        const std::unique_lock lock(m);
        ++data;
    };
    const auto read = [&] {
        const std::shared_lock lock(m);
        VERIFY_THAT(data >= 0 && data <= 2);
    };
    together(write, write, read);
    VERIFY_THAT(data == 2);
}

void rwlock_not_held() {
    std::shared_mutex m;
    m.unlock_shared();
}

void shared_mutex_publishes() {
    std::shared_timed_mutex m;
    int data = 0;
    bool ready = false;
    together(
        [&] {
            data = 1;
            const std::lock_guard lock(m);
            ready = true;
        },
        [&] {
            bool seen = false;
            if (m.try_lock_shared_for(std::chrono::milliseconds(1))) {
                seen = ready;
                m.unlock_shared();
            }
            if (seen) VERIFY_THAT(data == 1);
        });
}

namespace {
void barrier_rounds(unsigned size) {
    pthread_barrier_t b;
    pthread_barrier_init(&b, nullptr, size);
    int a = 0, c = 0, serial = 0;
    std::mutex m;
    const auto arrive = [&] {
        // NOLINTNEXTLINE(bugprone-posix-return): the value of the one thread is negative
        if (pthread_barrier_wait(&b) != PTHREAD_BARRIER_SERIAL_THREAD) return;
        const std::lock_guard lock(m);
        ++serial;
    };
    together(
        [&] {
            a = 1;
            arrive();
            VERIFY_THAT(c == 1);
            arrive();
            c = 2;
        },
        [&] {
            c = 1;
            arrive();
            VERIFY_THAT(a == 1 && c == 1);
            arrive();
        });
    VERIFY_THAT(serial == 2 && c == 2);
    pthread_barrier_destroy(&b);
}
} // namespace

void barrier_orders_rounds() { barrier_rounds(2); }
void barrier_with_one_too_few() { barrier_rounds(3); }

void semaphore_publishes() {
    sem_t s;
    sem_init(&s, 0, 0);
    int data = 0;
    together(
        [&] {
            sem_wait(&s);
            VERIFY_THAT(data == 1);
        },
        [&] {
            data = 1;
            sem_post(&s);
        });
    sem_destroy(&s);
}

void semaphore_never_posted() {
    sem_t s;
    sem_init(&s, 0, 1);
    const auto work = [&] { sem_wait(&s); };
    together(work, work);
}

void spin_lock_excludes() {
    pthread_spinlock_t l;
    pthread_spin_init(&l, PTHREAD_PROCESS_PRIVATE);
    int count = 0;
    const auto add = [&] {
        pthread_spin_lock(&l);
        ++count;
        pthread_spin_unlock(&l);
    };
    together(add, add, add);
    VERIFY_THAT(count == 3);
}

void call_once_initialises() {
    std::once_flag flag;
    int data = 0;
    const auto use = [&] {
        std::call_once(flag, [&] { ++data; });
        VERIFY_THAT(data == 1);
    };
    together(use, use, use);
}

void call_once_throws_once() {
    std::once_flag flag;
    int tries = 0, data = 0;
    const auto use = [&] {
        try {
            std::call_once(flag, [&] {
                if (tries++ == 0) throw std::runtime_error("the first time");
                data = 1;
            });
            VERIFY_THAT(data == 1);
        } catch (const std::runtime_error&) {
            ringproof::verify::cover("thrown");
        }
    };
    together(use, use);
    VERIFY_THAT(tries == 2);
}

void once_flag_without_once() {
    int data = 0;
    bool done = false;
    const auto use = [&] {
        if (!done) data = 1;
        done = true;
    };
    together(use, use);
}

} // namespace programs
