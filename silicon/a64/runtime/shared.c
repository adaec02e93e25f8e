/* SPDX-License-Identifier: Apache-2.0 */
/* Read-write locks, and locks that are waited for until a time. A read-write lock is a word, 0 when free. A lock that is
 * waited for until a time is tried once: an attempt at any moment is an execution, and so is a time that is over. */
#include "ask.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

static int take(pthread_rwlock_t* l, int writes, int waits) {
    return (int)ASK(take_shared, l, writes, waits);
}
static int try_until(pthread_rwlock_t* l, int writes) { return take(l, writes, 0) ? ETIMEDOUT : 0; }

int pthread_rwlock_init(pthread_rwlock_t* l, const pthread_rwlockattr_t* a) {
    (void)a;
    *(uint32_t*)l = 0;
    return 0;
}
int pthread_rwlock_destroy(pthread_rwlock_t* l) { return (void)l, 0; }
int pthread_rwlock_rdlock(pthread_rwlock_t* l) { return take(l, 0, 1); }
int pthread_rwlock_wrlock(pthread_rwlock_t* l) { return take(l, 1, 1); }
int pthread_rwlock_tryrdlock(pthread_rwlock_t* l) { return take(l, 0, 0); }
int pthread_rwlock_trywrlock(pthread_rwlock_t* l) { return take(l, 1, 0); }
int pthread_rwlock_unlock(pthread_rwlock_t* l) { return ASK(drop_shared, l, 0, 0), 0; }

int pthread_rwlock_timedrdlock(pthread_rwlock_t* l, const struct timespec* t) {
    return (void)t, try_until(l, 0);
}
int pthread_rwlock_timedwrlock(pthread_rwlock_t* l, const struct timespec* t) {
    return (void)t, try_until(l, 1);
}
int pthread_rwlock_clockrdlock(pthread_rwlock_t* l, clockid_t c, const struct timespec* t) {
    return (void)c, (void)t, try_until(l, 0);
}
int pthread_rwlock_clockwrlock(pthread_rwlock_t* l, clockid_t c, const struct timespec* t) {
    return (void)c, (void)t, try_until(l, 1);
}
int pthread_mutex_timedlock(pthread_mutex_t* m, const struct timespec* t) {
    (void)t;
    return pthread_mutex_trylock(m) ? ETIMEDOUT : 0;
}
int pthread_mutex_clocklock(pthread_mutex_t* m, clockid_t c, const struct timespec* t) {
    (void)c, (void)t;
    return pthread_mutex_trylock(m) ? ETIMEDOUT : 0;
}
