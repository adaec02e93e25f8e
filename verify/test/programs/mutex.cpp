// SPDX-License-Identifier: Apache-2.0
#include "programs.hpp"

#include <ringproof/verify/verify.hpp>

#include <cerrno>
#include <chrono>
#include <memory>
#include <mutex>

namespace programs {

void recursive_mutex_counts() {
    std::recursive_mutex m;
    int count = 0;
    const auto add = [&] {
        const std::lock_guard outer(m);
        const std::lock_guard inner(m);
        ++count;
    };
    together(add, add);
    VERIFY_THAT(count == 2);
}

void recursive_mutex_is_still_held() {
    std::recursive_mutex m;
    int count = 0;
    const auto add = [&] {
        m.lock();
        m.lock();
        m.unlock();
        ++count;
        m.unlock();
    };
    const auto add_unlocked = [&] {
        m.lock();
        m.unlock();
        ++count;
    };
    together(add, add_unlocked);
}

void self_deadlock() {
    std::mutex m;
    m.lock();
    m.lock();
}

void lock_order_deadlock() {
    std::mutex a, b;
    together(
        [&] {
            const std::lock_guard first(a);
            const std::lock_guard second(b);
        },
        [&] {
            const std::lock_guard first(b);
            const std::lock_guard second(a);
        });
}

void errorcheck_mutex_reports() {
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_t m;
    pthread_mutex_init(&m, &attributes);
    VERIFY_THAT(pthread_mutex_lock(&m) == 0);
    VERIFY_THAT(pthread_mutex_lock(&m) == EDEADLK);
    VERIFY_THAT(pthread_mutex_unlock(&m) == 0);
    VERIFY_THAT(pthread_mutex_unlock(&m) == EPERM);
    pthread_mutex_destroy(&m);
}

void timed_mutex_both_ways() {
    std::timed_mutex m;
    int count = 0;
    const auto add = [&] {
        if (!m.try_lock_for(std::chrono::milliseconds(1))) return ringproof::verify::cover("timed out");
        ++count;
        m.unlock();
    };
    together(add, add);
    ringproof::verify::cover(count == 2 ? "both" : "one");
}

void mutex_in_freed_memory() {
    auto m = std::make_unique<std::mutex>();
    std::mutex* used = m.get();
    std::thread late([used] { const std::lock_guard lock(*used); });
    m.reset();
    late.join();
}

void destroyed_mutex() {
    pthread_mutex_t m;
    pthread_mutex_init(&m, nullptr);
    pthread_mutex_destroy(&m);
    pthread_mutex_lock(&m);
}

void destroyed_while_held() {
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    together(
        [&] {
            pthread_mutex_lock(&m);
            pthread_mutex_unlock(&m);
        },
        [&] { pthread_mutex_destroy(&m); });
}

void unlock_not_held() {
    std::mutex m;
    m.unlock();
}

} // namespace programs
