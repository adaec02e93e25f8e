// SPDX-License-Identifier: Apache-2.0
// Memory to which a function of libc writes what it found, and another thread looks there.
#include <pthread.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static struct timespec spec;
static struct timeval val;
static time_t seconds;
static void* memory;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void* asks(void* unused) {
#ifdef LOCKED
    pthread_mutex_lock(&lock);
#endif
    (void)(ASK);
#ifdef LOCKED
    pthread_mutex_unlock(&lock);
#endif
    return unused;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, NULL, asks, NULL);
    pthread_mutex_lock(&lock);
    const int any = spec.tv_sec != 0 || val.tv_sec != 0 || seconds != 0 || memory != NULL;
    pthread_mutex_unlock(&lock);
    pthread_join(other, NULL);
    return any & 0;
}
