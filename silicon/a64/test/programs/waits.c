/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that wait for each other: for ever, where a macro says so. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
atomic_int ready, spins;
int count;

static void* other(void* nothing) {
#if defined(LOCKS)
    pthread_mutex_lock(&second);
    pthread_mutex_lock(&first);
    ++count;
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
#elif defined(POLLS)
    while (!atomic_load_explicit(&ready, memory_order_acquire)) sched_yield();
#elif defined(SLEEPS)
    const struct timespec moment = {0, 1000};
    while (!atomic_load_explicit(&ready, memory_order_acquire)) nanosleep(&moment, NULL);
#elif defined(EXCHANGES)
    while (atomic_exchange_explicit(&spins, 1, memory_order_acquire)) {
    }
    ++count;
    atomic_store_explicit(&spins, 0, memory_order_release);
#elif defined(DEADLINE)
    struct timespec now, begin;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    do {
        clock_gettime(CLOCK_MONOTONIC, &now);
        assert(now.tv_sec >= begin.tv_sec);
    } while (!atomic_load_explicit(&ready, memory_order_acquire) && now.tv_sec < begin.tv_sec + 1);
#endif
    return nothing;
}

int main(void) {
    pthread_t thread;
#if defined(HELD)
    atomic_store(&spins, 1);
#endif
    pthread_create(&thread, NULL, other, NULL);
#if defined(LOCKS)
#if defined(FOR_EVER)
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
#else
    pthread_mutex_lock(&second);
    pthread_mutex_lock(&first);
#endif
    ++count;
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
#elif defined(EXCHANGES)
    other(NULL);
#elif !defined(FOR_EVER)
    atomic_store_explicit(&ready, 1, memory_order_release);
#endif
#if defined(ENDS)
    return 0; /* and with it the program */
#endif
    pthread_join(thread, NULL);
#if defined(LOCKS) || (defined(EXCHANGES) && !defined(HELD))
    assert(count == 2);
#endif
    return 0;
}
