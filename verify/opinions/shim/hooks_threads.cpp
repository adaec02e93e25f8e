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

#define RINGPROOF_REFUSE(declaration, name, what, ...)                                                       \
    RINGPROOF_HOOK declaration noexcept {                                                                    \
        const shim::hook with;                                                                               \
        if (with) shim::cannot_express(what);                                                                \
        return shim::system_function<decltype(name)>(#name)(__VA_ARGS__);                                    \
    }

RINGPROOF_REFUSE(int pthread_mutex_lock(pthread_mutex_t* m), pthread_mutex_lock, "it locks a mutex", m)
RINGPROOF_REFUSE(int pthread_mutex_trylock(pthread_mutex_t* m), pthread_mutex_trylock, "it locks a mutex", m)
RINGPROOF_REFUSE(int pthread_mutex_unlock(pthread_mutex_t* m), pthread_mutex_unlock, "it locks a mutex", m)

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
