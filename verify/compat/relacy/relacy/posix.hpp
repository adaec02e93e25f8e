// SPDX-License-Identifier: Apache-2.0
#pragma once
// Relacy's words of POSIX. Most are the system's own functions, which the checker knows.

#include "atomic.hpp"
#include "mutex.hpp"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

extern "C" int ringproof_futex_wait(const void* word, int value, int timed) noexcept;

namespace rl {

/// Without a time the wait may end at any moment.
inline int timed_wait(pthread_cond_t* condition, pthread_mutex_t* mutex, const void*) {
    return ends_in_time(condition, mutex) ? 0 : ETIMEDOUT;
}
inline int timed_lock(pthread_mutex_t* mutex, const void*) {
    if (pthread_mutex_trylock(mutex) == 0) return 0;
    if (__VERIFIER_nondet_bool()) return ETIMEDOUT;
    return pthread_mutex_lock(mutex);
}
/// A wait that ends without a change of the word returns 0 or EINTR. Inlined, so that the checker sees whether a program
/// looks at how many threads were woken, which it cannot say.
[[gnu::always_inline]] inline int futex_call(std::atomic<int>* word, int operation, int value,
                                             const void* timeout) {
    static_assert(sizeof(std::atomic<int>) == sizeof(int));
    if (operation == FUTEX_WAIT) return ringproof_futex_wait(word, value, timeout != nullptr);
    if (operation == FUTEX_WAKE)
        return static_cast<int>(syscall(SYS_futex, word, operation, value, nullptr, nullptr, 0));
    const long result = syscall(SYS_futex, word, operation, value, nullptr, nullptr, 0);
    return static_cast<int>(result < 0 ? errno : result);
}

} // namespace rl

#define pthread_yield() sched_yield()
// Its attributes are of no type in particular there.
#define pthread_rwlock_init(lock, attributes) ((void)(attributes), (pthread_rwlock_init)(lock, nullptr))
#define pthread_mutex_try_lock(mutex) pthread_mutex_trylock(mutex)
#define pthread_mutex_timedlock(mutex, time) ::rl::timed_lock(mutex, time)
#define pthread_cond_timedwait(condition, mutex, time) ::rl::timed_wait(condition, mutex, time)
#define futex(word, operation, value, timeout, word2, value3)                                                \
    ::rl::futex_call(word, operation, value, timeout)
