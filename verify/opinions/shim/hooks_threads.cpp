// SPDX-License-Identifier: Apache-2.0
// Threads and waiting. What has no counterpart in the tools is refused by name.

#include "hooks.hpp"

#include <cerrno>
#include <dlfcn.h>
#include <pthread.h>

namespace ringproof::opinions {
namespace {

/// The next definition of the function of this name: the system's.
template <class Function>
Function* system_function(const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

} // namespace
} // namespace ringproof::opinions

namespace shim = ringproof::opinions;

// Thread numbers of a tool begin with 0; a pthread_t of 0 is no thread.
RINGPROOF_HOOK int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*),
                                  void* argument) {
    const shim::hook with;
    if (!with)
        return shim::system_function<decltype(pthread_create)>("pthread_create")(thread, attributes, body,
                                                                                 argument);
    *thread = with->start(body, argument) + pthread_t{1};
    return 0;
}

RINGPROOF_HOOK int pthread_join(pthread_t thread, void** result) {
    const shim::hook with;
    if (!with) return shim::system_function<decltype(pthread_join)>("pthread_join")(thread, result);
    if (result) *result = nullptr;
    with->join(static_cast<unsigned>(thread - 1), RINGPROOF_PLACE);
    return 0;
}

RINGPROOF_HOOK int sched_yield() {
    const shim::hook with;
    if (with) with->yield(RINGPROOF_PLACE);
    return 0;
}

namespace ringproof::opinions {
namespace {

std::uintptr_t address(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }
bool recursive(const pthread_mutex_t* m) { return (m->__data.__kind & 3) == PTHREAD_MUTEX_RECURSIVE_NP; }

/// Only scenarios wait: a tool runs its threads in turns. (What dlsym() finds of these functions may be an old version.)
tool& of_scenario(const hook& with) {
    if (!with) cannot_express("it uses a condition variable before it begins or after it has ended");
    return *with.operator->();
}

} // namespace
} // namespace ringproof::opinions

RINGPROOF_HOOK int pthread_mutex_lock(pthread_mutex_t* m) noexcept {
    const shim::hook with;
    if (!with) return shim::system_function<decltype(pthread_mutex_lock)>("pthread_mutex_lock")(m);
    with->lock(shim::address(m), shim::recursive(m), RINGPROOF_PLACE);
    return 0;
}

RINGPROOF_HOOK int pthread_mutex_trylock(pthread_mutex_t* m) noexcept {
    const shim::hook with;
    if (!with) return shim::system_function<decltype(pthread_mutex_trylock)>("pthread_mutex_trylock")(m);
    return with->try_lock(shim::address(m), shim::recursive(m), RINGPROOF_PLACE) ? 0 : EBUSY;
}

RINGPROOF_HOOK int pthread_mutex_unlock(pthread_mutex_t* m) noexcept {
    const shim::hook with;
    if (!with) return shim::system_function<decltype(pthread_mutex_unlock)>("pthread_mutex_unlock")(m);
    with->unlock(shim::address(m), RINGPROOF_PLACE);
    return 0;
}

RINGPROOF_HOOK int pthread_cond_wait(pthread_cond_t* c, pthread_mutex_t* m) {
    const shim::hook with;
    shim::of_scenario(with).wait(shim::address(c), shim::address(m), RINGPROOF_PLACE);
    return 0;
}
RINGPROOF_HOOK int pthread_cond_signal(pthread_cond_t* c) noexcept {
    const shim::hook with;
    shim::of_scenario(with).notify(shim::address(c), false, RINGPROOF_PLACE);
    return 0;
}
RINGPROOF_HOOK int pthread_cond_broadcast(pthread_cond_t* c) noexcept {
    const shim::hook with;
    shim::of_scenario(with).notify(shim::address(c), true, RINGPROOF_PLACE);
    return 0;
}

// How std::atomic's wait arrives (ringproof/verify/std/bits/atomic_wait.h).
RINGPROOF_HOOK void ringproof_atomic_waits(int) noexcept {
    const shim::hook with;
    if (with) shim::cannot_express("it sleeps in std::atomic::wait");
}
RINGPROOF_HOOK void ringproof_atomic_sleep(const void*) noexcept {}
RINGPROOF_HOOK void ringproof_atomic_notify(const void*, int) noexcept {
    const shim::hook with;
    if (with) shim::cannot_express("it calls std::atomic::notify");
}
