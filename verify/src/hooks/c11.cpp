// SPDX-License-Identifier: Apache-2.0
// C11 threads, in terms of POSIX threads, which is what glibc's are made of too.

#include "hook.hpp"
#include "mutex.hpp"

#include <cerrno>
#include <threads.h>

namespace rv = ringproof::verify;
using namespace rv::hook;

namespace {

struct start {
    thrd_start_t function;
    void* argument;
};

void* run(void* p) {
    const start s = *static_cast<start*>(p);
    return reinterpret_cast<void*>(static_cast<std::intptr_t>(s.function(s.argument)));
}

auto* to_posix(mtx_t* m) { return reinterpret_cast<pthread_mutex_t*>(m); }
auto* to_posix(cnd_t* c) { return reinterpret_cast<pthread_cond_t*>(c); }

int to_c11(int error) {
    switch (error) {
    case 0:
        return thrd_success;
    case EBUSY:
        return thrd_busy;
    case ETIMEDOUT:
        return thrd_timedout;
    case ENOMEM:
        return thrd_nomem;
    default:
        return thrd_error;
    }
}

} // namespace

RINGPROOF_HOOK int thrd_create(thrd_t* handle, thrd_start_t function, void* argument) {
    if (!running()) return RINGPROOF_NEXT(thrd_create)(handle, function, argument);
    auto* s = static_cast<start*>(engine().heap().allocate(sizeof(start), 16));
    *s = {function, argument};
    *handle = engine().spawn(run, s, RINGPROOF_SITE) + 1u;
    return thrd_success;
}
RINGPROOF_HOOK int thrd_join(thrd_t handle, int* result) {
    if (!running()) return RINGPROOF_NEXT(thrd_join)(handle, result);
    void* const returned = join(handle, result != nullptr, RINGPROOF_SITE);
    if (result)
        write_plain(result, static_cast<int>(reinterpret_cast<std::intptr_t>(returned)), RINGPROOF_SITE);
    return thrd_success;
}
RINGPROOF_HOOK int thrd_detach(thrd_t handle) { return to_c11(pthread_detach(handle)); }
RINGPROOF_HOOK thrd_t thrd_current() { return pthread_self(); }
RINGPROOF_HOOK void thrd_exit(int result) {
    pthread_exit(reinterpret_cast<void*>(static_cast<std::intptr_t>(result)));
}
RINGPROOF_HOOK void thrd_yield() { sched_yield(); }
RINGPROOF_HOOK int thrd_sleep(const timespec* t, timespec* left) { return nanosleep(t, left); }

RINGPROOF_HOOK int mtx_init(mtx_t* m, int type) {
    if (!running()) return RINGPROOF_NEXT(mtx_init)(m, type);
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes,
                              type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
    return to_c11(pthread_mutex_init(to_posix(m), &attributes));
}
RINGPROOF_HOOK void mtx_destroy(mtx_t* m) {
    if (!running()) return RINGPROOF_NEXT(mtx_destroy)(m);
    destroy(to_posix(m), RINGPROOF_SITE);
}
RINGPROOF_HOOK int mtx_lock(mtx_t* m) {
    RINGPROOF_STANDING(m);
    return running() ? to_c11(lock(to_posix(m), RINGPROOF_SITE)) : RINGPROOF_NEXT(mtx_lock)(m);
}
RINGPROOF_HOOK int mtx_trylock(mtx_t* m) {
    RINGPROOF_STANDING(m);
    return running() ? to_c11(try_lock(to_posix(m), EBUSY, RINGPROOF_SITE)) : RINGPROOF_NEXT(mtx_trylock)(m);
}
RINGPROOF_HOOK int mtx_timedlock(mtx_t* m, const timespec* t) {
    RINGPROOF_STANDING(m, t);
    return running() ? to_c11(try_lock(to_posix(m), ETIMEDOUT, RINGPROOF_SITE))
                     : RINGPROOF_NEXT(mtx_timedlock)(m, t);
}
RINGPROOF_HOOK int mtx_unlock(mtx_t* m) {
    RINGPROOF_STANDING(m);
    return running() ? to_c11(unlock(to_posix(m), RINGPROOF_SITE)) : RINGPROOF_NEXT(mtx_unlock)(m);
}

RINGPROOF_HOOK int cnd_init(cnd_t* c) { return to_c11(pthread_cond_init(to_posix(c), nullptr)); }
RINGPROOF_HOOK void cnd_destroy(cnd_t* c) { pthread_cond_destroy(to_posix(c)); }
RINGPROOF_HOOK int cnd_wait(cnd_t* c, mtx_t* m) {
    RINGPROOF_STANDING(c, m);
    if (!running()) return RINGPROOF_NEXT(cnd_wait)(c, m);
    wait(to_posix(c), to_posix(m), RINGPROOF_SITE);
    return thrd_success;
}
RINGPROOF_HOOK int cnd_timedwait(cnd_t* c, mtx_t* m, const timespec* t) {
    RINGPROOF_STANDING(c, m, t);
    if (!running()) return RINGPROOF_NEXT(cnd_timedwait)(c, m, t);
    return to_c11(timed_wait(to_posix(c), to_posix(m), t, CLOCK_REALTIME, RINGPROOF_SITE));
}
RINGPROOF_HOOK int cnd_signal(cnd_t* c) {
    RINGPROOF_STANDING(c);
    if (!running()) return RINGPROOF_NEXT(cnd_signal)(c);
    signal(to_posix(c), RINGPROOF_SITE);
    return thrd_success;
}
RINGPROOF_HOOK int cnd_broadcast(cnd_t* c) {
    RINGPROOF_STANDING(c);
    if (!running()) return RINGPROOF_NEXT(cnd_broadcast)(c);
    broadcast(to_posix(c), RINGPROOF_SITE);
    return thrd_success;
}
RINGPROOF_HOOK void call_once(once_flag* flag, void (*function)()) {
    if (!running()) return RINGPROOF_NEXT(call_once)(flag, function);
    once(reinterpret_cast<int*>(flag), function, RINGPROOF_SITE);
}
