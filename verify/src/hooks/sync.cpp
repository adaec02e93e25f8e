// SPDX-License-Identifier: Apache-2.0
// Read-write locks, semaphores, spin locks, once.

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
// one, in its high half. Who waits has no precedence over who comes.
namespace {

constexpr const char* rwlock_hangs = "deadlock: a thread waits for a read-write lock that no one will unlock";

operation rwlock(pthread_rwlock_t* l, order mo, std::uintptr_t site, const char* word) {
    return {address_of(l), site, mo, true, 8, word};
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
    const value_t seen = change(rwlock(l, order::release, site, "read-unlock"), read_unlock);
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
    if (!running()) return RINGPROOF_NEXT(pthread_rwlock_rdlock)(l);
    take(rwlock(l, order::acquire, RINGPROOF_SITE, "read-lock"), read_lock, 0, rwlock_hangs);
    return 0;
}
RINGPROOF_HOOK int pthread_rwlock_wrlock(pthread_rwlock_t* l) noexcept {
    if (!running()) return RINGPROOF_NEXT(pthread_rwlock_wrlock)(l);
    take(rwlock(l, order::acquire, RINGPROOF_SITE, "write-lock"), write_lock, writer(), rwlock_hangs);
    return 0;
}
// The time of a timed lock may have run out whenever the lock is seen taken.
#define RINGPROOF_RWLOCK_TRY(function, rule, operand, failed, parameters, arguments)                         \
    RINGPROOF_HOOK int function parameters noexcept {                                                        \
        RINGPROOF_STANDING arguments;                                                                        \
        if (!running()) return RINGPROOF_NEXT(function) arguments;                                           \
        return attempt(rwlock(l, order::acquire, RINGPROOF_SITE, "try " #rule), rule, operand) ? 0 : failed; \
    }
RINGPROOF_RWLOCK_TRY(pthread_rwlock_tryrdlock, read_lock, 0, EBUSY, (pthread_rwlock_t * l), (l))
RINGPROOF_RWLOCK_TRY(pthread_rwlock_trywrlock, write_lock, writer(), EBUSY, (pthread_rwlock_t * l), (l))
RINGPROOF_RWLOCK_TRY(pthread_rwlock_timedrdlock, read_lock, 0, ETIMEDOUT,
                     (pthread_rwlock_t * l, const timespec* t), (l, t))
RINGPROOF_RWLOCK_TRY(pthread_rwlock_timedwrlock, write_lock, writer(), ETIMEDOUT,
                     (pthread_rwlock_t * l, const timespec* t), (l, t))
RINGPROOF_RWLOCK_TRY(pthread_rwlock_clockrdlock, read_lock, 0, ETIMEDOUT,
                     (pthread_rwlock_t * l, clockid_t clock, const timespec* t), (l, clock, t))
RINGPROOF_RWLOCK_TRY(pthread_rwlock_clockwrlock, write_lock, writer(), ETIMEDOUT,
                     (pthread_rwlock_t * l, clockid_t clock, const timespec* t), (l, clock, t))
RINGPROOF_HOOK int pthread_rwlock_unlock(pthread_rwlock_t* l) noexcept {
    if (!running()) return RINGPROOF_NEXT(pthread_rwlock_unlock)(l);
    return rwlock_unlock(l, RINGPROOF_SITE);
}

// Semaphores: the first word of a sem_t is its value.
namespace {

operation semaphore(sem_t* s, order mo, std::uintptr_t site, const char* word) {
    return {address_of(s), site, mo, false, 4, word};
}

going acquire(value_t seen, value_t, value_t& next) {
    if (seen == 0) return going::wait;
    next = seen - 1;
    return going::change;
}
going post(value_t seen, value_t, value_t& next) {
    next = seen + 1;
    return going::change;
}

int try_acquire(sem_t* s, int failed, std::uintptr_t site) {
    if (attempt(semaphore(s, order::acquire, site, "try semaphore"), acquire, 0)) return 0;
    errno = failed;
    return -1;
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
    if (!running()) return RINGPROOF_NEXT(sem_post)(s);
    change(semaphore(s, order::release, RINGPROOF_SITE, "post semaphore"), post);
    return 0;
}
RINGPROOF_HOOK int sem_wait(sem_t* s) {
    if (!running()) return RINGPROOF_NEXT(sem_wait)(s);
    take(semaphore(s, order::acquire, RINGPROOF_SITE, "wait for semaphore"), acquire, 0,
         "deadlock: a thread waits for a semaphore that no one will post");
    return 0;
}
RINGPROOF_HOOK int sem_trywait(sem_t* s) noexcept {
    RINGPROOF_STANDING(s);
    return running() ? try_acquire(s, EAGAIN, RINGPROOF_SITE) : RINGPROOF_NEXT(sem_trywait)(s);
}
RINGPROOF_HOOK int sem_timedwait(sem_t* s, const timespec* t) {
    RINGPROOF_STANDING(s, t);
    return running() ? try_acquire(s, ETIMEDOUT, RINGPROOF_SITE) : RINGPROOF_NEXT(sem_timedwait)(s, t);
}
RINGPROOF_HOOK int sem_clockwait(sem_t* s, clockid_t clock, const timespec* t) {
    RINGPROOF_STANDING(s, clock, t);
    return running() ? try_acquire(s, ETIMEDOUT, RINGPROOF_SITE) : RINGPROOF_NEXT(sem_clockwait)(s, clock, t);
}
RINGPROOF_HOOK int sem_getvalue(sem_t* s, int* value) noexcept {
    if (!running()) return RINGPROOF_NEXT(sem_getvalue)(s, value);
    const value_t seen = engine().visible(request_for(
        rv::action::load, semaphore(s, order::relaxed, RINGPROOF_SITE, "look at semaphore"), nullptr, 0));
    write_plain(value, static_cast<int>(seen), RINGPROOF_SITE);
    return 0;
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
