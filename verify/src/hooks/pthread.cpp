// SPDX-License-Identifier: Apache-2.0
// POSIX threads and waiting, for the program under test; every other caller is passed on to libc.

#include "../program/early_heap.hpp"
#include "exit.hpp"
#include "hook.hpp"
#include "signals_sent.hpp"

#include <cerrno>
#include <cstdio>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

namespace rv = ringproof::verify;
using namespace rv::hook;

namespace {

// A pthread_t of the program: its thread's number plus one, as 0 stands for no thread in libstdc++.
pthread_t to_handle(rv::thread_id t) { return t + 1u; }

rv::thread_id to_thread(pthread_t handle, std::uintptr_t site) {
    if (handle == 0 || handle > engine().thread_count())
        engine().fail_here(rv::failure_kind::lock_misuse, "not a thread of this program", site, 0);
    return static_cast<rv::thread_id>(handle - 1);
}

// Apart, and behind a look at one variable: what a larger frame leaves on the stack of the thread that goes on would be
// told apart as state.
[[gnu::noinline]] int create_with_mask(pthread_t* handle, void* (*start)(void*), void* argument,
                                       std::uintptr_t site) {
    const rv::descriptors::start with_mask = rv::descriptors::inherit({start, argument});
    write_plain(handle, to_handle(engine().spawn(with_mask.routine, with_mask.argument, site)), site);
    return 0;
}

} // namespace

RINGPROOF_HOOK int pthread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*start)(void*),
                                  void* argument) {
    if (rv::early_heap::now() == rv::early_heap::phase::executable) {
        std::fputs("error: a static object starts a thread before main(), where nothing can be explored; "
                   "start it in "
                   "main() or in the scenario\n",
                   stderr);
        ::_exit(2);
    }
    if (!running()) return RINGPROOF_NEXT(pthread_create)(handle, attributes, start, argument);
    if (rv::descriptors::any_mask) return create_with_mask(handle, start, argument, RINGPROOF_SITE);
    // Behind the start: the new thread may be running before its number is there.
    write_plain(handle, to_handle(engine().spawn(start, argument, RINGPROOF_SITE)), RINGPROOF_SITE);
    return 0;
}

/// Joins a thread. @return what it has returned, if anybody asks
void* ringproof::verify::hook::join(pthread_t handle, bool asks, std::uintptr_t site) {
    rv::request r;
    r.act = rv::action::join;
    r.other = to_thread(handle, site);
    r.site = site;
    rv::thread_state& other = engine().thread(r.other);
    if (other.joined_by != rv::thread_state::nobody || other.detached || r.other == engine().self().id)
        engine().fail_here(rv::failure_kind::lock_misuse, "join of a thread that cannot be joined", r.site,
                           0);
    engine().visible(r);
    if (rv::ended_program(engine().thread(r.other))) rv::end_with_program(r.site);
    if (!asks) return nullptr;
    void* const returned = engine().thread(r.other).returned;
    if (returned) engine().tells_apart(engine().thread(r.other));
    return returned;
}

RINGPROOF_HOOK int pthread_join(pthread_t handle, void** returned) {
    if (!running()) return RINGPROOF_NEXT(pthread_join)(handle, returned);
    void* const value = join(handle, returned != nullptr, RINGPROOF_SITE);
    if (returned) write_plain(returned, value, RINGPROOF_SITE);
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
    engine().tells_apart(engine().self());
    return to_handle(engine().self().id);
}

// The system's number of a thread. All threads of the program run on one of the system's.
RINGPROOF_HOOK pid_t gettid() noexcept {
    if (!running()) return RINGPROOF_NEXT(gettid)();
    const rv::thread_state& t = engine().self();
    engine().tells_apart(t);
    return rv::program::in_process() ? getpid() : getpid() + static_cast<pid_t>(engine().self().id);
}

RINGPROOF_HOOK void pthread_exit(void* value) {
    if (running()) {
        rv::end_of_thread();
        engine().self().returned = value;
        rv::request r;
        r.act = rv::action::end;
        r.site = RINGPROOF_SITE;
        engine().visible(r);
    }
    RINGPROOF_NEXT(pthread_exit)(value);
    __builtin_unreachable();
}

// What would need more than is modelled says so.
#define RINGPROOF_UNSUPPORTED(function, parameters, arguments)                                               \
    RINGPROOF_HOOK int function parameters {                                                                 \
        if (!running()) return RINGPROOF_NEXT(function) arguments;                                           \
        unsupported(#function, RINGPROOF_SITE);                                                              \
    }
RINGPROOF_UNSUPPORTED(pthread_cancel, (pthread_t t), (t))
RINGPROOF_UNSUPPORTED(pthread_kill, (pthread_t t, int signal) noexcept, (t, signal))
RINGPROOF_UNSUPPORTED(pthread_tryjoin_np, (pthread_t t, void** returned) noexcept, (t, returned))
RINGPROOF_UNSUPPORTED(pthread_timedjoin_np, (pthread_t t, void** returned, const timespec* until),
                      (t, returned, until))

RINGPROOF_HOOK int sched_yield() noexcept {
    if (!running()) return RINGPROOF_NEXT(sched_yield)();
    engine().yield();
    return 0;
}
