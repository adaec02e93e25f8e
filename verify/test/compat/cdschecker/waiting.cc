// SPDX-License-Identifier: Apache-2.0
// std::mutex and a condition variable that takes it, as CDSChecker's <condition_variable> does; -DUNTOLD leaves the
// signal out.
#include <condition_variable>
#include <mutex>
#include <stdatomic.h>
#include <threads.h>

#include "librace.h"
#include "model-assert.h"

static std::mutex guard;
static std::condition_variable changed;
static uint8_t ready;
static atomic_uint looks;

static void set(void*) {
    guard.lock();
    store_8(&ready, 1);
#ifndef UNTOLD
    changed.notify_one();
#endif
    guard.unlock();
}

static void wait(void*) {
    guard.lock();
    while (!load_8(&ready)) {
        looks.fetch_add(1, memory_order_relaxed);
        changed.wait(guard);
    }
    MODEL_ASSERT(load_8(&ready));
    guard.unlock();
}

int user_main(int, char**) {
    thrd_t one, other;
    atomic_init(&looks, 0u);
    thrd_create(&one, (thrd_start_t)&set, nullptr);
    thrd_create(&other, (thrd_start_t)&wait, nullptr);
    thrd_join(one);
    thrd_join(other);
    return 0;
}
