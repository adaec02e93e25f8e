// SPDX-License-Identifier: Apache-2.0
// POSIX threads and waiting, for the program under test; every other caller is passed on to libc.

#include "../explore/explorer.hpp"

#include <cerrno>
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#define RINGPROOF_HOOK extern "C" __attribute__((visibility("default")))
#define RINGPROOF_SITE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))
/// The next definition of the function being interposed: libc's.
#define RINGPROOF_NEXT(function) reinterpret_cast<decltype(&function)>(dlsym(RTLD_NEXT, #function))

namespace rv = ringproof::verify;

namespace {

bool running() { return rv::explorer::running(); }
rv::explorer& engine() { return *rv::explorer::active(); }

// A pthread_t of the program: its thread's number plus one, as 0 stands for no thread in libstdc++.
pthread_t to_handle(rv::thread_id t) { return t + 1u; }

rv::thread_id to_thread(pthread_t handle, std::uintptr_t site) {
    if (handle == 0 || handle > engine().thread_count())
        engine().fail_here(rv::failure_kind::lock_misuse, "not a thread of this program", site, 0);
    return static_cast<rv::thread_id>(handle - 1);
}

rv::request on_mutex(rv::action act, pthread_mutex_t* m, std::uintptr_t site) {
    rv::request r;
    r.act = act;
    r.mo = act == rv::action::unlock ? rv::order::release : rv::order::acquire;
    r.mo_fail = rv::order::relaxed;
    r.size = 4;
    r.address = reinterpret_cast<std::uintptr_t>(m);
    r.site = site;
    return r;
}

[[noreturn]] void unsupported(const char* function, std::uintptr_t site) {
    engine().fail_here(rv::failure_kind::unsupported, std::string(function) + " is not supported yet", site, 0);
}

} // namespace

RINGPROOF_HOOK int pthread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*start)(void*),
                                  void* argument) {
    if (!running()) return RINGPROOF_NEXT(pthread_create)(handle, attributes, start, argument);
    *handle = to_handle(engine().spawn(start, argument, RINGPROOF_SITE));
    return 0;
}

RINGPROOF_HOOK int pthread_join(pthread_t handle, void** returned) {
    if (!running()) return RINGPROOF_NEXT(pthread_join)(handle, returned);
    rv::request r;
    r.act = rv::action::join;
    r.other = to_thread(handle, RINGPROOF_SITE);
    r.site = RINGPROOF_SITE;
    rv::thread_state& other = engine().thread(r.other);
    if (other.joined || other.detached || r.other == engine().self().id)
        engine().fail_here(rv::failure_kind::lock_misuse, "join of a thread that cannot be joined", r.site, 0);
    engine().visible(r);
    if (returned) *returned = engine().thread(r.other).returned;
    return 0;
}

RINGPROOF_HOOK int pthread_detach(pthread_t handle) {
    if (!running()) return RINGPROOF_NEXT(pthread_detach)(handle);
    rv::thread_state& other = engine().thread(to_thread(handle, RINGPROOF_SITE));
    other.detached = true;
    other.dirty = true;
    return 0;
}

RINGPROOF_HOOK pthread_t pthread_self() noexcept {
    if (!running()) return RINGPROOF_NEXT(pthread_self)();
    return to_handle(engine().self().id);
}

RINGPROOF_HOOK void pthread_exit(void* value) {
    if (running()) {
        engine().self().returned = value;
        rv::request r;
        r.act = rv::action::end;
        r.site = RINGPROOF_SITE;
        engine().visible(r);
    }
    RINGPROOF_NEXT(pthread_exit)(value);
    __builtin_unreachable();
}

RINGPROOF_HOOK int pthread_mutex_lock(pthread_mutex_t* m) noexcept {
    if (!running()) return RINGPROOF_NEXT(pthread_mutex_lock)(m);
    engine().visible(on_mutex(rv::action::lock, m, RINGPROOF_SITE));
    return 0;
}

RINGPROOF_HOOK int pthread_mutex_trylock(pthread_mutex_t* m) noexcept {
    if (!running()) return RINGPROOF_NEXT(pthread_mutex_trylock)(m);
    return engine().visible(on_mutex(rv::action::try_lock, m, RINGPROOF_SITE)) == 0 ? 0 : EBUSY;
}

RINGPROOF_HOOK int pthread_mutex_unlock(pthread_mutex_t* m) noexcept {
    if (!running()) return RINGPROOF_NEXT(pthread_mutex_unlock)(m);
    const auto address = reinterpret_cast<std::uintptr_t>(m);
    const rv::graph& g = engine().execution();
    const rv::location_id l = g.find(address);
    // The co-latest write is the holder's own, as nobody else can write while the mutex is taken.
    if (l == rv::none || g.at(g.loc(l).co.back()).value != engine().self().id + 1u)
        engine().fail_here(rv::failure_kind::lock_misuse, "unlock of a mutex that this thread does not hold",
                           RINGPROOF_SITE, address);
    engine().visible(on_mutex(rv::action::unlock, m, RINGPROOF_SITE));
    return 0;
}

// The end of the program is the end of the calling thread; others may still run. An exit code that
// says that something is wrong is a finding.
namespace {
void leave(int code, std::uintptr_t site) {
    if (!running()) return;
    if (code != 0)
        engine().fail_here(rv::failure_kind::abort, "the program exits with code " + std::to_string(code), site, 0);
    rv::request r;
    r.act = rv::action::end;
    r.site = site;
    engine().visible(r);
}
} // namespace
#define RINGPROOF_EXIT(function)                                                                               \
    RINGPROOF_HOOK void function(int code) {                                                                   \
        leave(code, RINGPROOF_SITE);                                                                           \
        RINGPROOF_NEXT(function)(code);                                                                        \
        __builtin_unreachable();                                                                               \
    }
RINGPROOF_EXIT(exit)
RINGPROOF_EXIT(_exit)
RINGPROOF_EXIT(_Exit)

#define RINGPROOF_UNSUPPORTED(function, parameters, arguments)                                                 \
    RINGPROOF_HOOK int function parameters {                                                                   \
        if (!running()) return RINGPROOF_NEXT(function) arguments;                                             \
        unsupported(#function, RINGPROOF_SITE);                                                                \
    }
RINGPROOF_UNSUPPORTED(pthread_cond_wait, (pthread_cond_t * c, pthread_mutex_t* m), (c, m))
RINGPROOF_UNSUPPORTED(pthread_cond_timedwait, (pthread_cond_t * c, pthread_mutex_t* m, const timespec* t), (c, m, t))
RINGPROOF_UNSUPPORTED(pthread_cond_clockwait,
                      (pthread_cond_t * c, pthread_mutex_t* m, clockid_t k, const timespec* t), (c, m, k, t))
RINGPROOF_UNSUPPORTED(pthread_rwlock_rdlock, (pthread_rwlock_t * l) noexcept, (l))
RINGPROOF_UNSUPPORTED(pthread_rwlock_wrlock, (pthread_rwlock_t * l) noexcept, (l))
RINGPROOF_UNSUPPORTED(pthread_mutex_timedlock, (pthread_mutex_t * m, const timespec* t) noexcept, (m, t))
RINGPROOF_UNSUPPORTED(pthread_barrier_wait, (pthread_barrier_t * b) noexcept, (b))

// Waiting of any kind says: this round had no effect.
RINGPROOF_HOOK int sched_yield() noexcept {
    if (!running()) return RINGPROOF_NEXT(sched_yield)();
    engine().yield();
    return 0;
}
RINGPROOF_HOOK int nanosleep(const timespec* t, timespec* left) {
    if (!running()) return RINGPROOF_NEXT(nanosleep)(t, left);
    engine().yield();
    return 0;
}
RINGPROOF_HOOK int clock_nanosleep(clockid_t clock, int flags, const timespec* t, timespec* left) {
    if (!running()) return RINGPROOF_NEXT(clock_nanosleep)(clock, flags, t, left);
    engine().yield();
    return 0;
}
RINGPROOF_HOOK int usleep(useconds_t t) {
    if (!running()) return RINGPROOF_NEXT(usleep)(t);
    engine().yield();
    return 0;
}
