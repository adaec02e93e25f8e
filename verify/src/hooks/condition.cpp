// SPDX-License-Identifier: Apache-2.0
// Condition variables, as POSIX and C++ say it: a signal wakes one of the threads that wait then, whichever (each is
// explored), a broadcast all. They order nothing by themselves; the mutex does. A wait may end on its own: then its
// thread lets go of the mutex and takes it again, and nobody knows that it waited (see ../reduction/vain_wakes.cpp).
//
// A virtual word holds the set of the waiting threads; each thread has a word beside it that says it was
// woken. A timed wait either times out or waits to be woken: a choice at its beginning. One that times out does not enter
// the set. Had it done so, a signal that came before the time-out would have woken it, or another thread; either is
// an execution of the other choice.

#include "clock.hpp"
#include "mutex.hpp"

#include "hook.hpp"

#include <bit>
#include <cerrno>
#include <time.h>

namespace ringproof::verify::hook {
namespace {

constexpr value_t choosing = value_t{1} << 63; ///< a signal is about to say which of several it wakes
const char* const never_signalled =
    "lost wake-up: a thread waits for ever on a condition variable that no thread will signal";

operation waiting_set(pthread_cond_t* c, std::uintptr_t site, const char* word) {
    return {address_of(c), site, order::relaxed, true, 8, word};
}
operation woken(pthread_cond_t* c, thread_id t, std::uintptr_t site, const char* word) {
    static_assert(sizeof(pthread_cond_t) >= 8 + max_threads);
    return {address_of(c) + 8 + t, site, order::relaxed, true, 1, word};
}

going enter(value_t seen, value_t me, value_t& next) {
    if (seen & choosing) return going::wait;
    next = seen | me;
    return going::change;
}
going take_one(value_t seen, value_t, value_t& next) {
    if (seen & choosing) return going::wait;
    if (seen == 0) return going::leave;
    next = (seen & (seen - 1)) == 0 ? value_t{0} : seen | choosing;
    return going::change;
}
going take_all(value_t seen, value_t, value_t& next) {
    if (seen & choosing) return going::wait;
    if (seen == 0) return going::leave;
    next = 0;
    return going::change;
}
going take_chosen(value_t seen, value_t chosen, value_t& next) {
    next = seen & ~(chosen | choosing);
    return going::change;
}
going wake(value_t, value_t, value_t& next) {
    next = 1;
    return going::change;
}
going wake_up(value_t seen, value_t, value_t& next) {
    if (seen == 0) return going::wait;
    next = 0;
    return going::change;
}

constexpr const char* shortly = "internal error: a signal does not end"; // nothing can come in between

} // namespace

void wait(pthread_cond_t* c, pthread_mutex_t* m, std::uintptr_t site) {
    if (!held(m)) misuse("a wait on a condition variable needs its mutex to be held", site, m);
    const bool early = engine().wakes_early(address_of(c), site);
    if (!early) take(waiting_set(c, site, "wait on condition"), enter, value_t{1} << self().id, shortly);
    const unsigned depth = let_go(m, site);
    if (!early) take(woken(c, self().id, site, "woken by condition"), wake_up, 0, never_signalled);
    take_again(m, depth, site);
}

int timed_wait(pthread_cond_t* c, pthread_mutex_t* m, const timespec* until, clockid_t clock,
               std::uintptr_t site) {
    if (!held(m)) misuse("a wait on a condition variable needs its mutex to be held", site, m);
    note_deadline(until, site);
    const bool times_out = engine().times_out(address_of(c), site);
    const bool ends_early = times_out || engine().wakes_early(address_of(c), site);
    if (!ends_early) take(waiting_set(c, site, "wait on condition"), enter, value_t{1} << self().id, shortly);
    const unsigned depth = let_go(m, site);
    if (times_out) pass_until(clock, *until);
    if (!ends_early) take(woken(c, self().id, site, "woken by condition"), wake_up, 0, "");
    take_again(m, depth, site);
    return times_out ? ETIMEDOUT : 0;
}

void signal(pthread_cond_t* c, std::uintptr_t site) {
    value_t waiting = take(waiting_set(c, site, "signal condition"), take_one, 0, shortly);
    if (waiting == 0) return;
    if ((waiting & (waiting - 1)) != 0) {
        const auto set = static_cast<std::uint64_t>(waiting);
        unsigned skip = engine().choose(static_cast<unsigned>(std::popcount(set)), site);
        while (skip-- > 0) waiting &= waiting - 1;
        waiting &= ~(waiting - 1);
        change(waiting_set(c, site, "signal one of condition"), take_chosen, waiting);
    }
    const auto t = static_cast<thread_id>(std::countr_zero(static_cast<std::uint64_t>(waiting)));
    change(woken(c, t, site, "wake a thread of condition"), wake);
}

void broadcast(pthread_cond_t* c, std::uintptr_t site) {
    const auto waiting =
        static_cast<std::uint64_t>(take(waiting_set(c, site, "broadcast condition"), take_all, 0, shortly));
    for (thread_id t = 0; t < max_threads; ++t)
        if (waiting >> t & 1) change(woken(c, t, site, "wake a thread of condition"), wake);
}

} // namespace ringproof::verify::hook

using namespace ringproof::verify::hook;
using ringproof::verify::value_t;

RINGPROOF_HOOK int pthread_cond_init(pthread_cond_t* c, const pthread_condattr_t* attributes) noexcept {
    if (running()) engine().accesses().plain(address_of(c), sizeof *c, true, RINGPROOF_SITE);
    return RINGPROOF_NEXT(pthread_cond_init)(c, attributes);
}
RINGPROOF_HOOK int pthread_cond_destroy(pthread_cond_t* c) noexcept {
    if (!running()) return RINGPROOF_NEXT(pthread_cond_destroy)(c);
    // The set of those that wait: who is woken may still be on its way to the mutex, as POSIX allows.
    ends(c, sizeof(std::uint64_t), RINGPROOF_SITE);
    if (latest(address_of(c)) != 0)
        misuse("a condition variable is destroyed while a thread waits on it", RINGPROOF_SITE, c);
    return 0;
}
RINGPROOF_HOOK int pthread_cond_wait(pthread_cond_t* c, pthread_mutex_t* m) {
    RINGPROOF_STANDING(c, m);
    if (!running()) return RINGPROOF_NEXT(pthread_cond_wait)(c, m);
    wait(c, m, RINGPROOF_SITE);
    return 0;
}
RINGPROOF_HOOK int pthread_cond_timedwait(pthread_cond_t* c, pthread_mutex_t* m, const timespec* t) {
    RINGPROOF_STANDING(c, m, t);
    if (!running()) return RINGPROOF_NEXT(pthread_cond_timedwait)(c, m, t);
    return timed_wait(c, m, t, CLOCK_REALTIME, RINGPROOF_SITE);
}
RINGPROOF_HOOK int pthread_cond_clockwait(pthread_cond_t* c, pthread_mutex_t* m, clockid_t clock,
                                          const timespec* t) {
    RINGPROOF_STANDING(c, m, clock, t);
    if (!running()) return RINGPROOF_NEXT(pthread_cond_clockwait)(c, m, clock, t);
    return timed_wait(c, m, t, clock, RINGPROOF_SITE);
}
// std::condition_variable_any's wait (include/ringproof/verify/std/condition_variable), between whose parts a thread lets go of
// its lock and takes it again, whatever kind of lock that is.
namespace {
enum ending : int { by_others, early, by_time };
}

RINGPROOF_HOOK int ringproof_condition_enter(pthread_cond_t* c, const timespec* until) noexcept {
    RINGPROOF_STANDING(c, until);
    if (!running()) return early;
    const std::uintptr_t site = RINGPROOF_SITE;
    if (until) note_deadline(until, site);
    if (until && engine().times_out(address_of(c), site)) return by_time;
    if (engine().wakes_early(address_of(c), site)) return early;
    take(waiting_set(c, site, "wait on condition"), enter, value_t{1} << self().id, shortly);
    return by_others;
}
RINGPROOF_HOOK void ringproof_condition_sleep(pthread_cond_t* c, int ends, const timespec* until) noexcept {
    RINGPROOF_STANDING(c, ends, until);
    if (!running()) return;
    if (ends == by_time) pass_until(CLOCK_MONOTONIC, *until);
    if (ends == by_others)
        take(woken(c, self().id, RINGPROOF_SITE, "woken by condition"), wake_up, 0,
             until ? "" : never_signalled);
}
RINGPROOF_HOOK int pthread_cond_signal(pthread_cond_t* c) noexcept {
    RINGPROOF_STANDING(c);
    if (!running()) return RINGPROOF_NEXT(pthread_cond_signal)(c);
    signal(c, RINGPROOF_SITE);
    return 0;
}
RINGPROOF_HOOK int pthread_cond_broadcast(pthread_cond_t* c) noexcept {
    RINGPROOF_STANDING(c);
    if (!running()) return RINGPROOF_NEXT(pthread_cond_broadcast)(c);
    broadcast(c, RINGPROOF_SITE);
    return 0;
}
