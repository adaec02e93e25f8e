// SPDX-License-Identifier: Apache-2.0
#pragma once
// rl::mutex, rl::recursive_mutex, condition variables and lock guards: those of POSIX, which the checker knows.

#include "words.hpp"

#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <mutex>

namespace rl {

template <int Kind>
class mutex_of_kind {
  public:
    mutex_of_kind() {
        pthread_mutexattr_t attributes;
        pthread_mutexattr_init(&attributes);
        pthread_mutexattr_settype(&attributes, Kind);
        pthread_mutex_init(&mutex_, &attributes);
        pthread_mutexattr_destroy(&attributes);
    }
    ~mutex_of_kind() {
        pthread_mutex_destroy(&mutex_);
        delete until_destroyed_;
    }
    mutex_of_kind(const mutex_of_kind&) = delete;
    mutex_of_kind& operator=(const mutex_of_kind&) = delete;

    RINGPROOF_RELACY_INLINE void lock(debug_info = {}) { pthread_mutex_lock(&mutex_); }
    RINGPROOF_RELACY_INLINE bool try_lock(debug_info = {}) { return pthread_mutex_trylock(&mutex_) == 0; }
    RINGPROOF_RELACY_INLINE void unlock(debug_info = {}) { pthread_mutex_unlock(&mutex_); }

    pthread_mutex_t* native_handle() { return &mutex_; }

  private:
    pthread_mutex_t mutex_;
    const char* const until_destroyed_ = new char; // a mutex that is not destroyed is a leak
};

// The names are what relacy_std.hpp makes of the standard's.
using ringproof_mutex = mutex_of_kind<PTHREAD_MUTEX_NORMAL>;
using ringproof_recursive_mutex = mutex_of_kind<PTHREAD_MUTEX_RECURSIVE>;

template <class Mutex>
class ringproof_unique_lock : public std::unique_lock<Mutex> {
    using base = std::unique_lock<Mutex>;

  public:
    using base::base;
    ringproof_unique_lock(Mutex& mutex, debug_info) : base(mutex) {}
    RINGPROOF_RELACY_INLINE void lock(debug_info = {}) { base::lock(); }
    RINGPROOF_RELACY_INLINE bool try_lock(debug_info = {}) { return base::try_lock(); }
    RINGPROOF_RELACY_INLINE void unlock(debug_info = {}) { base::unlock(); }
};
template <class Mutex>
ringproof_unique_lock(Mutex&) -> ringproof_unique_lock<Mutex>;

template <class Mutex>
class ringproof_lock_guard {
  public:
    RINGPROOF_RELACY_INLINE explicit ringproof_lock_guard(Mutex& mutex, debug_info = {}) : mutex_(mutex) {
        mutex.lock();
    }
    RINGPROOF_RELACY_INLINE ringproof_lock_guard(Mutex& mutex, std::adopt_lock_t) : mutex_(mutex) {}
    RINGPROOF_RELACY_INLINE ~ringproof_lock_guard() { mutex_.unlock(); }
    ringproof_lock_guard(const ringproof_lock_guard&) = delete;
    ringproof_lock_guard& operator=(const ringproof_lock_guard&) = delete;

  private:
    Mutex& mutex_;
};

/// A wait that may end by its time. The checker explores both ends, whatever the time is.
inline bool ends_in_time(pthread_cond_t* condition, pthread_mutex_t* mutex) {
    const timespec some_day{std::time_t{1} << 40, 0};
    return pthread_cond_timedwait(condition, mutex, &some_day) != ETIMEDOUT;
}

class ringproof_condition_variable {
  public:
    ringproof_condition_variable() { pthread_cond_init(&condition_, nullptr); }
    ~ringproof_condition_variable() { pthread_cond_destroy(&condition_); }
    ringproof_condition_variable(const ringproof_condition_variable&) = delete;
    ringproof_condition_variable& operator=(const ringproof_condition_variable&) = delete;

    RINGPROOF_RELACY_INLINE void notify_one(debug_info = {}) { pthread_cond_signal(&condition_); }
    RINGPROOF_RELACY_INLINE void notify_all(debug_info = {}) { pthread_cond_broadcast(&condition_); }

    template <class Lock>
    RINGPROOF_RELACY_INLINE void wait(Lock& lock, debug_info = {}) {
        pthread_cond_wait(&condition_, mutex_of(lock));
    }
    template <class Lock, class Predicate>
    requires std::is_invocable_v<Predicate> RINGPROOF_RELACY_INLINE void wait(Lock& lock, Predicate holds,
                                                                              debug_info = {}) {
        while (!holds()) pthread_cond_wait(&condition_, mutex_of(lock));
    }
    template <class Lock, class Time>
    bool wait_for(Lock& lock, const Time&, debug_info = {}) {
        return ends_in_time(&condition_, mutex_of(lock));
    }
    template <class Lock, class Time, class Predicate>
    requires std::is_invocable_v<Predicate>
    bool wait_for(Lock& lock, const Time&, Predicate holds, debug_info = {}) {
        while (!holds())
            if (!ends_in_time(&condition_, mutex_of(lock))) return holds();
        return true;
    }
    template <class Lock, class Time>
    bool wait_until(Lock& lock, const Time& time, debug_info = {}) {
        return wait_for(lock, time);
    }
    template <class Lock, class Time, class Predicate>
    requires std::is_invocable_v<Predicate>
    bool wait_until(Lock& lock, const Time& time, Predicate holds, debug_info = {}) {
        return wait_for(lock, time, holds);
    }

  private:
    template <int Kind>
    static pthread_mutex_t* mutex_of(mutex_of_kind<Kind>& mutex) {
        return mutex.native_handle();
    }
    template <class Mutex>
    static pthread_mutex_t* mutex_of(std::unique_lock<Mutex>& lock) {
        return lock.mutex()->native_handle();
    }

    pthread_cond_t condition_;
};

/// With any lock that has lock() and unlock().
class ringproof_condition_variable_any {
  public:
    void notify_one(debug_info = {}) { any_.notify_one(); }
    void notify_all(debug_info = {}) { any_.notify_all(); }
    template <class Lock>
    void wait(Lock& lock, debug_info = {}) {
        any_.wait(lock);
    }
    template <class Lock, class Predicate>
    requires std::is_invocable_v<Predicate>
    void wait(Lock& lock, Predicate holds, debug_info = {}) {
        while (!holds()) any_.wait(lock);
    }
    template <class Lock, class Time>
    bool wait_for(Lock& lock, const Time&, debug_info = {}) {
        return any_.wait_for(lock, std::chrono::seconds(1)) == std::cv_status::no_timeout;
    }
    template <class Lock, class Time, class Predicate>
    requires std::is_invocable_v<Predicate>
    bool wait_for(Lock& lock, const Time&, Predicate holds, debug_info = {}) {
        while (!holds())
            if (!wait_for(lock, 0)) return holds();
        return true;
    }
    template <class Lock, class Time>
    bool wait_until(Lock& lock, const Time& time, debug_info = {}) {
        return wait_for(lock, time);
    }
    template <class Lock, class Time, class Predicate>
    requires std::is_invocable_v<Predicate>
    bool wait_until(Lock& lock, const Time& time, Predicate holds, debug_info = {}) {
        return wait_for(lock, time, holds);
    }

  private:
    std::condition_variable_any any_;
};

using mutex = ringproof_mutex;
using recursive_mutex = ringproof_recursive_mutex;
using condition_variable = ringproof_condition_variable;
using condition_variable_any = ringproof_condition_variable_any;
template <class Mutex>
using unique_lock = ringproof_unique_lock<Mutex>;
template <class Mutex>
using lock_guard = ringproof_lock_guard<Mutex>;
using std::scoped_lock;

} // namespace rl
