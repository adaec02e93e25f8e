/* SPDX-License-Identifier: Apache-2.0 */
/* Condition variables and time: requests to the checker, as start.c's. A condition variable is a word, 0 at first. */
#include "ask.h"

#include <errno.h>
#include <pthread.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { second = 1000000000 };

int pthread_cond_init(pthread_cond_t* c, const pthread_condattr_t* a) {
    (void)a;
    *(uint32_t*)c = 0;
    return 0;
}
int pthread_cond_destroy(pthread_cond_t* c) { return (void)c, 0; }
int pthread_cond_signal(pthread_cond_t* c) { return ASK(notify, c, 0, 0), 0; }
int pthread_cond_broadcast(pthread_cond_t* c) { return ASK(notify, c, 1, 0), 0; }

static int wait(pthread_cond_t* c, pthread_mutex_t* m, int may_time_out, uint64_t until) {
    const uint64_t ends_early = ASK(wait_begin, c, may_time_out, 0);
    ASK(unlock, m, 0, 0);
    const uint64_t timed_out = ends_early ? 0 : ASK(wait_end, c, may_time_out, until);
    ASK(lock, m, 0, 0);
    return timed_out ? ETIMEDOUT : 0;
}
int pthread_cond_wait(pthread_cond_t* c, pthread_mutex_t* m) { return wait(c, m, 0, 0); }

/* Clocks say how long the thread has run, from these times on. */
static uint64_t begin_of(clockid_t clock) {
    const int is_date = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
    return (is_date ? 1700000000ull : 1000ull) * second;
}
static uint64_t nanoseconds(const struct timespec* t) {
    return (uint64_t)t->tv_sec * second + (uint64_t)t->tv_nsec;
}

int pthread_cond_clockwait(pthread_cond_t* c, pthread_mutex_t* m, clockid_t clock,
                           const struct timespec* until) {
    const uint64_t then = nanoseconds(until), begin = begin_of(clock);
    return wait(c, m, 1, then > begin ? then - begin : 0);
}
int pthread_cond_timedwait(pthread_cond_t* c, pthread_mutex_t* m, const struct timespec* until) {
    return pthread_cond_clockwait(c, m, CLOCK_REALTIME, until);
}

int clock_gettime(clockid_t clock, struct timespec* now) {
    const uint64_t t = begin_of(clock) + ASK(look, 0, 0, 0);
    now->tv_sec = (time_t)(t / second);
    now->tv_nsec = (long)(t % second);
    return 0;
}
int gettimeofday(struct timeval* now, void* zone) {
    (void)zone;
    const uint64_t t = begin_of(CLOCK_REALTIME) + ASK(look, 0, 0, 0);
    now->tv_sec = (time_t)(t / second);
    now->tv_usec = (long)(t % second / 1000);
    return 0;
}
time_t time(time_t* now) {
    const time_t t = (time_t)((begin_of(CLOCK_REALTIME) + ASK(look, 0, 0, 0)) / second);
    if (now) *now = t;
    return t;
}
int nanosleep(const struct timespec* duration, struct timespec* left) {
    if (left) left->tv_sec = left->tv_nsec = 0;
    return ASK(pass, nanoseconds(duration), 0, 0), 0;
}
int clock_nanosleep(clockid_t clock, int flags, const struct timespec* t, struct timespec* left) {
    if (!(flags & TIMER_ABSTIME)) return nanosleep(t, left);
    const uint64_t then = nanoseconds(t), now = begin_of(clock) + ASK(look, 0, 0, 0);
    if (then > now) ASK(pass, then - now, 0, 0);
    return 0;
}
int usleep(useconds_t microseconds) { return ASK(pass, microseconds * 1000ull, 0, 0), 0; }
unsigned sleep(unsigned seconds) { return ASK(pass, (uint64_t)seconds * second, 0, 0), 0; }
