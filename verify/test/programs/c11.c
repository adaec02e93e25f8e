/* SPDX-License-Identifier: Apache-2.0 */
#include "c11.h"

#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
static int ready, data, sum;
static tss_t key;
static once_flag once = ONCE_FLAG_INIT;
static int initialised;

static void initialise(void) { ++initialised; }

static int producer(void* unused) {
    (void)unused;
    call_once(&once, initialise);
    mtx_lock(&mutex);
    data = 1;
    ready = 1;
    mtx_unlock(&mutex);
    cnd_signal(&changed);
    return 11;
}

static int consumer(void* unused) {
    (void)unused;
    call_once(&once, initialise);
    assert(tss_get(key) == NULL);
    tss_set(key, &data);
    mtx_lock(&mutex);
    while (!ready) cnd_wait(&changed, &mutex);
    assert(data == 1 && initialised == 1 && tss_get(key) == &data);
    mtx_unlock(&mutex);
    return 22;
}

void c11_handover(void) {
    mtx_init(&mutex, mtx_plain);
    cnd_init(&changed);
    tss_create(&key, NULL);
    thrd_t a, b;
    int first, second;
    assert(thrd_create(&a, producer, NULL) == thrd_success);
    assert(thrd_create(&b, consumer, NULL) == thrd_success);
    assert(thrd_join(a, &first) == thrd_success && thrd_join(b, &second) == thrd_success);
    assert(first == 11 && second == 22);
    cnd_destroy(&changed);
    mtx_destroy(&mutex);
}

static int consumer_if(void* unused) {
    (void)unused;
    mtx_lock(&mutex);
    cnd_wait(&changed, &mutex); /* without a look at ready: the signal may be gone already */
    mtx_unlock(&mutex);
    return 0;
}

void c11_lost_wakeup(void) {
    mtx_init(&mutex, mtx_plain);
    cnd_init(&changed);
    thrd_t a, b;
    thrd_create(&a, producer, NULL);
    thrd_create(&b, consumer_if, NULL);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
}

static int adder(void* unused) {
    (void)unused;
    mtx_lock(&mutex);
    mtx_lock(&mutex);
    ++sum;
    mtx_unlock(&mutex);
    mtx_unlock(&mutex);
    return 0;
}

void c11_recursive(void) {
    mtx_init(&mutex, mtx_plain | mtx_recursive);
    thrd_t a, b;
    thrd_create(&a, adder, NULL);
    thrd_create(&b, adder, NULL);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    assert(sum == 2);
    mtx_destroy(&mutex);
}

static int adder_unlocked(void* unused) {
    (void)unused;
    if (mtx_trylock(&mutex) == thrd_success) mtx_unlock(&mutex);
    ++sum;
    return 0;
}

void c11_race(void) {
    mtx_init(&mutex, mtx_timed);
    thrd_t a, b;
    thrd_create(&a, adder_unlocked, NULL);
    thrd_create(&b, adder_unlocked, NULL);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
}
