// SPDX-License-Identifier: Apache-2.0
// Read-write locks, semaphores, spin locks, once.

#include "clock.hpp"
#include "hook.hpp"
#include "mutex.hpp"

#include <cerrno>
#include <pthread.h>
#include <semaphore.h>

namespace rv = ringproof::verify;
using rv::action;
using rv::going;
using rv::order;
using rv::request;
using rv::value_t;
using namespace rv::hook;

// Read-write locks: a virtual word counts readers in its low half and has the writer, thread number plus
// one, in its high half. Who waits has no precedence over who comes. A reader does not learn how many there are.
namespace {

constexpr const char* rwlock_hangs = "deadlock: a thread waits for a read-write lock that no one will unlock";

operation rwlock(pthread_rwlock_t* l, order mo, std::uintptr_t site, const char* word, bool counts = false) {
    return {address_of(l), site, mo, true, 8, word, counts};
}
value_t writer() { return value_t{self().id + 1u} << 32; }

going read_lock(value_t seen, value_t, value_t& next) {
    if (seen >> 32) return going::wait;
    next = seen + 1;
    return going::change;
}
going write_lock(value_t seen, value_t me, value_t& next) {
    if (seen) return going::wait;
    next = me;
    return going::change;
}
going read_unlock(value_t seen, value_t, value_t& next) {
    next = seen ? seen - 1 : 0;
    return going::change;
}
going write_unlock(value_t, value_t, value_t& next) {
    next = 0;
    return going::change;
}

int rwlock_unlock(pthread_rwlock_t* l, std::uintptr_t site) {
    // While this thread writes, nobody else changes the word.
    if (latest(address_of(l)) == writer()) {
        change(rwlock(l, order::release, site, "write-unlock"), write_unlock);
        return 0;
    }
    const value_t seen = change(rwlock(l, order::release, site, "read-unlock", true), read_unlock);
    if (seen == 0 || seen >> 32)
        misuse("unlock of a read-write lock that this thread does not hold", site, l);
    return 0;
}

} // namespace

RINGPROOF_HOOK int pthread_rwlock_init(pthread_rwlock_t* l, const pthread_rwlockattr_t* attributes) noexcept {
    if (running()) {
        engine().accesses().plain(address_of(l), sizeof *l, true, RINGPROOF_SITE);
        int kind = PTHREAD_RWLOCK_DEFAULT_NP;
        if (attributes) pthread_rwlockattr_getkind_np(attributes, &kind);
        // With such a lock, who reads already and reads again waits for a writer that waits for it.
        if (kind == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)
            engine().bound("a read-write lock that prefers writers is explored as one that prefers none");
    }
    return RINGPROOF_NEXT(pthread_rwlock_init)(l, attributes);
}
RINGPROOF_HOOK int pthread_rwlock_destroy(pthread_rwlock_t* l) noexcept {
    if (!running()) return RINGPROOF_NEXT(pthread_rwlock_destroy)(l);
    ends(l, sizeof *l, RINGPROOF_SITE);
    if (latest(address_of(l)) != 0)
        misuse("a read-write lock is destroyed while a thread holds it", RINGPROOF_SITE, l);
    return 0;
}
RINGPROOF_HOOK int pthread_rwlock_rdlock(pthread_rwlock_t* l) noexcept {
    RINGPROOF_STANDING(l);
    if (!running()) return RINGPROOF_NEXT(pthread_rwlock_rdlock)(l);
    take(rwlock(l, order::acquire, RINGPROOF_SITE, "read-lock", true), read_lock, 0, rwlock_hangs);
    return 0;
}
RINGPROOF_HOOK int pthread_rwlock_wrlock(pthread_rwlock_t* l) noexcept {
    RINGPROOF_STANDING(l);
    if (!running()) return RINGPROOF_NEXT(pthread_rwlock_wrlock)(l);
    take(rwlock(l, order::acquire, RINGPROOF_SITE, "write-lock"), write_lock, writer(), rwlock_hangs);
    return 0;
}
namespace {
/// What a timed lock returns that gives up. Its time may have run out whenever the lock is seen taken; then it has passed.
int out_of_time(clockid_t clock, const timespec& until) {
    pass_until(clock, until);
    return ETIMEDOUT;
}
} // namespace
#define RINGPROOF_RWLOCK_TRY(function, rule, operand, failed, parameters, arguments)                         \
    RINGPROOF_HOOK int function parameters noexcept {                                                        \
        RINGPROOF_STANDING arguments;                                                                        \
        if (!running()) return RINGPROOF_NEXT(function) arguments;                                           \
        const bool done = attempt(                                                                           \
            rwlock(l, order::acquire, RINGPROOF_SITE, "try " #rule, rule == read_lock), rule, operand);      \
        return done ? 0 : failed;                                                                            \
    }
RINGPROOF_RWLOCK_TRY(pthread_rwlock_tryrdlock, read_lock, 0, EBUSY, (pthread_rwlock_t * l), (l))
RINGPROOF_RWLOCK_TRY(pthread_rwlock_trywrlock, write_lock, writer(), EBUSY, (pthread_rwlock_t * l), (l))
RINGPROOF_RWLOCK_TRY(pthread_rwlock_timedrdlock, read_lock, 0, out_of_time(CLOCK_REALTIME, *t),
                     (pthread_rwlock_t * l, const timespec* t), (l, t))
RINGPROOF_RWLOCK_TRY(pthread_rwlock_timedwrlock, write_lock, writer(), out_of_time(CLOCK_REALTIME, *t),
                     (pthread_rwlock_t * l, const timespec* t), (l, t))
RINGPROOF_RWLOCK_TRY(pthread_rwlock_clockrdlock, read_lock, 0, out_of_time(clock, *t),
                     (pthread_rwlock_t * l, clockid_t clock, const timespec* t), (l, clock, t))
RINGPROOF_RWLOCK_TRY(pthread_rwlock_clockwrlock, write_lock, writer(), out_of_time(clock, *t),
                     (pthread_rwlock_t * l, clockid_t clock, const timespec* t), (l, clock, t))
RINGPROOF_HOOK int pthread_rwlock_unlock(pthread_rwlock_t* l) noexcept {
    RINGPROOF_STANDING(l);
    if (!running()) return RINGPROOF_NEXT(pthread_rwlock_unlock)(l);
    return rwlock_unlock(l, RINGPROOF_SITE);
}

// Semaphores: the first word of a sem_t is its value.
namespace {

operation semaphore(void* s, order mo, std::uintptr_t site, const char* word) {
    return {address_of(s), site, mo, false, 4, word, true};
}

constexpr const char* never_posted = "deadlock: a thread waits for a semaphore that no one will post";

going acquire(value_t seen, value_t, value_t& next) {
    if (seen == 0) return going::wait;
    next = seen - 1;
    return going::change;
}
going post(value_t seen, value_t more, value_t& next) {
    next = (seen + more) & 0xffff'ffff;
    return going::change;
}

bool try_acquire(void* s, std::uintptr_t site) {
    return attempt(semaphore(s, order::acquire, site, "try semaphore"), acquire, 0);
}
int failed(int error) {
    errno = error;
    return -1;
}
int acquire_until(sem_t* s, clockid_t clock, const timespec& t, std::uintptr_t site) {
    if (try_acquire(s, site)) return 0;
    return failed(out_of_time(clock, t));
}

} // namespace

RINGPROOF_HOOK int sem_init(sem_t* s, int shared, unsigned value) noexcept {
    if (!running()) return RINGPROOF_NEXT(sem_init)(s, shared, value);
    write_plain(reinterpret_cast<unsigned*>(s), value, RINGPROOF_SITE);
    return 0;
}
RINGPROOF_HOOK int sem_destroy(sem_t* s) noexcept {
    if (!running()) return RINGPROOF_NEXT(sem_destroy)(s);
    ends(s, sizeof(unsigned), RINGPROOF_SITE);
    return 0;
}
RINGPROOF_HOOK int sem_post(sem_t* s) noexcept {
    RINGPROOF_STANDING(s);
    if (!running()) return RINGPROOF_NEXT(sem_post)(s);
    change(semaphore(s, order::release, RINGPROOF_SITE, "post semaphore"), post, 1);
    return 0;
}
RINGPROOF_HOOK int sem_wait(sem_t* s) {
    RINGPROOF_STANDING(s);
    if (!running()) return RINGPROOF_NEXT(sem_wait)(s);
    take(semaphore(s, order::acquire, RINGPROOF_SITE, "wait for semaphore"), acquire, 0, never_posted);
    return 0;
}
RINGPROOF_HOOK int sem_trywait(sem_t* s) noexcept {
    RINGPROOF_STANDING(s);
    if (!running()) return RINGPROOF_NEXT(sem_trywait)(s);
    return try_acquire(s, RINGPROOF_SITE) ? 0 : failed(EAGAIN);
}
RINGPROOF_HOOK int sem_timedwait(sem_t* s, const timespec* t) {
    RINGPROOF_STANDING(s, t);
    return running() ? acquire_until(s, CLOCK_REALTIME, *t, RINGPROOF_SITE)
                     : RINGPROOF_NEXT(sem_timedwait)(s, t);
}
RINGPROOF_HOOK int sem_clockwait(sem_t* s, clockid_t clock, const timespec* t) {
    RINGPROOF_STANDING(s, clock, t);
    return running() ? acquire_until(s, clock, *t, RINGPROOF_SITE)
                     : RINGPROOF_NEXT(sem_clockwait)(s, clock, t);
}
RINGPROOF_HOOK int sem_getvalue(sem_t* s, int* value) noexcept {
    RINGPROOF_STANDING(s, value);
    if (!running()) return RINGPROOF_NEXT(sem_getvalue)(s, value);
    const value_t seen = engine().visible(request_for(
        rv::action::load, semaphore(s, order::relaxed, RINGPROOF_SITE, "look at semaphore"), nullptr, 0));
    write_plain(value, static_cast<int>(seen), RINGPROOF_SITE);
    return 0;
}

// C++'s: include/ringproof/verify/std/semaphore.
RINGPROOF_HOOK void ringproof_semaphore_acquire(int* count) noexcept {
    RINGPROOF_STANDING(count);
    if (running())
        take(semaphore(count, order::acquire, RINGPROOF_SITE, "wait for semaphore"), acquire, 0,
             never_posted);
    else
        --*count;
}
RINGPROOF_HOOK int ringproof_semaphore_acquire_until(int* count, int clock, const timespec* until) noexcept {
    RINGPROOF_STANDING(count, clock, until);
    if (!running()) return *count != 0 ? --*count, 1 : 0;
    if (try_acquire(count, RINGPROOF_SITE)) return 1;
    pass_until(clock, *until);
    return 0;
}
RINGPROOF_HOOK void ringproof_semaphore_release(int* count, std::ptrdiff_t update) noexcept {
    RINGPROOF_STANDING(count, update);
    if (running())
        change(semaphore(count, order::release, RINGPROOF_SITE, "post semaphore"), post,
               static_cast<std::uint32_t>(update));
    else
        *count += static_cast<int>(update);
}

// Spin locks are mutexes of one word.
namespace {

rv::request on_spin(rv::action act, volatile int* l, std::uintptr_t site) {
    rv::request r = request_for(
        act, {address_of(l), site, act == rv::action::unlock ? order::release : order::acquire}, nullptr, 0);
    r.size = 4;
    return r;
}

} // namespace

RINGPROOF_HOOK int pthread_spin_init(pthread_spinlock_t* l, int shared) noexcept {
    if (!running()) return RINGPROOF_NEXT(pthread_spin_init)(l, shared);
    engine().accesses().plain(address_of(l), sizeof *l, true, RINGPROOF_SITE);
    *l = 0;
    return 0;
}
RINGPROOF_HOOK int pthread_spin_destroy(pthread_spinlock_t* l) noexcept {
    if (!running()) return RINGPROOF_NEXT(pthread_spin_destroy)(l);
    ends(l, sizeof *l, RINGPROOF_SITE);
    return 0;
}
RINGPROOF_HOOK int pthread_spin_lock(pthread_spinlock_t* l) noexcept {
    RINGPROOF_STANDING(l);
    if (!running()) return RINGPROOF_NEXT(pthread_spin_lock)(l);
    engine().visible(on_spin(rv::action::lock, l, RINGPROOF_SITE));
    return 0;
}
RINGPROOF_HOOK int pthread_spin_trylock(pthread_spinlock_t* l) noexcept {
    RINGPROOF_STANDING(l);
    if (!running()) return RINGPROOF_NEXT(pthread_spin_trylock)(l);
    return engine().visible(on_spin(rv::action::try_lock, l, RINGPROOF_SITE)) == 0 ? 0 : EBUSY;
}
RINGPROOF_HOOK int pthread_spin_unlock(pthread_spinlock_t* l) noexcept {
    RINGPROOF_STANDING(l);
    if (!running()) return RINGPROOF_NEXT(pthread_spin_unlock)(l);
    if (latest(address_of(l)) != self().id + 1u)
        misuse("unlock of a spin lock that this thread does not hold", RINGPROOF_SITE, l);
    engine().visible(on_spin(rv::action::unlock, l, RINGPROOF_SITE));
    return 0;
}

// Once: the word goes from 0 over 1, while the function runs, to glibc's 2.
namespace ringproof::verify::hook {
namespace {

going begin_once(value_t seen, value_t, value_t& next) {
    if (seen == 2) return going::leave;
    if (seen != 0) return going::wait;
    next = 1;
    return going::change;
}

void end_once(int* flag, int value, std::uintptr_t site) {
    request r = request_for(action::store, {address_of(flag), site, order::release, false, 4, "end once"},
                            nullptr, value);
    engine().visible(r);
}

} // namespace

int once(int* flag, void (*function)(), std::uintptr_t site) {
    const value_t seen = take({address_of(flag), site, order::acquire, false, 4, "begin once"}, begin_once, 0,
                              "deadlock: a thread waits for a call_once that does not return");
    if (seen == 2) return 0;
    try {
        function();
    } catch (...) {
        end_once(flag, 0, site);
        throw;
    }
    end_once(flag, 2, site);
    return 0;
}

} // namespace ringproof::verify::hook

RINGPROOF_HOOK int pthread_once(pthread_once_t* flag, void (*function)()) {
    if (!running()) return RINGPROOF_NEXT(pthread_once)(flag, function);
    return once(flag, function, RINGPROOF_SITE);
}
