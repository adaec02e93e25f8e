// SPDX-License-Identifier: Apache-2.0
// Mutexes: the graph has the holder, thread number plus one, as the value of a virtual word at the
// mutex's address. How often a recursive one is held is the holder's own affair and stays in memory.

#include "mutex.hpp"

#include "clock.hpp"
#include "hook.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

namespace ringproof::verify::hook {
namespace {

constexpr value_t destroyed = 0x8000'0000u;
constexpr int kind_mask = 3;

int kind(const pthread_mutex_t* m) { return m->__data.__kind & kind_mask; }

request on_mutex(action act, pthread_mutex_t* m, std::uintptr_t site) {
    request r;
    r.act = act;
    r.mo = act == action::unlock ? order::release : order::acquire;
    r.mo_fail = order::relaxed;
    r.size = 4;
    r.object = true;
    r.address = address_of(m);
    r.site = site;
    return r;
}

void must_be_alive(const pthread_mutex_t* m, std::uintptr_t site) {
    if (latest(address_of(m)) == destroyed) misuse("use of a destroyed mutex", site, m);
}

/// How often the holder of a recursive mutex has locked it again. No other thread reads or writes this count, so a change
/// of it is no access of the program: a loop that locks twice and unlocks twice has written nothing.
unsigned& depth_of(pthread_mutex_t* m) { return m->__data.__count; }

/// A mutex that the caller holds already. @return whether `result` is all there is to do
bool held_already(pthread_mutex_t* m, int& result) {
    if (!held(m)) return false;
    if (kind(m) == PTHREAD_MUTEX_RECURSIVE) {
        ++depth_of(m);
        result = 0;
        return true;
    }
    return kind(m) == PTHREAD_MUTEX_ERRORCHECK;
}

} // namespace

bool held(const pthread_mutex_t* m) { return latest(address_of(m)) == self().id + 1u; }

int lock(pthread_mutex_t* m, std::uintptr_t site) {
    must_be_alive(m, site);
    int result = EDEADLK;
    if (held_already(m, result)) return result;
    if (held(m))
        engine().fail_here(failure_kind::deadlock, "deadlock: a thread locks a mutex that it holds already",
                           site, address_of(m));
    engine().visible(on_mutex(action::lock, m, site));
    return 0;
}

int try_lock(pthread_mutex_t* m, int busy, std::uintptr_t site) {
    must_be_alive(m, site);
    engine().locks().note_try(address_of(m));
    int result = busy;
    if (held_already(m, result)) return result;
    return engine().visible(on_mutex(action::try_lock, m, site)) == 0 ? 0 : busy;
}

bool lock_together(std::span<pthread_mutex_t* const> mutexes, std::uintptr_t site) {
    constexpr std::size_t most = 16;
    std::uintptr_t addresses[most];
    if (mutexes.size() > most) return false;
    for (std::size_t i = 0; i != mutexes.size(); ++i) {
        must_be_alive(mutexes[i], site);
        if (held(mutexes[i])) return false;
        addresses[i] = address_of(mutexes[i]);
    }
    const std::span all(addresses, mutexes.size());
    // Processes may have the same memory at different addresses.
    std::sort(all.begin(), all.end(),
              [](std::uintptr_t a, std::uintptr_t b) { return engine().home_of(a) < engine().home_of(b); });
    if (const auto twice = std::adjacent_find(all.begin(), all.end()); twice != all.end())
        engine().fail_here(failure_kind::deadlock, "deadlock: std::lock() gets the same mutex twice", site,
                           *twice);
    if (!engine().locks().may_take(all)) return false;
    for (std::size_t i = 0; i != all.size(); ++i) {
        request what = on_mutex(action::lock, reinterpret_cast<pthread_mutex_t*>(all[i]), site);
        what.of_several = static_cast<std::uint8_t>(i + 1);
        engine().visible(what);
    }
    engine().facts().take_for_granted(assumption::multi_lock, site);
    return true;
}

int unlock(pthread_mutex_t* m, std::uintptr_t site) {
    must_be_alive(m, site);
    // The co-latest write is the holder's own, as nobody else can write while the mutex is taken.
    if (!held(m)) {
        if (kind(m) == PTHREAD_MUTEX_ERRORCHECK) return EPERM;
        misuse("unlock of a mutex that this thread does not hold", site, m);
    }
    if (kind(m) == PTHREAD_MUTEX_RECURSIVE && depth_of(m) > 0) {
        --depth_of(m);
        return 0;
    }
    engine().visible(on_mutex(action::unlock, m, site));
    return 0;
}

void destroy(pthread_mutex_t* m, std::uintptr_t site) {
    must_be_alive(m, site);
    engine().locks().note_try(address_of(m)); // it fails where an attempt has it
    // An event of its own, so that it meets the operations of others in every order.
    const value_t seen =
        change({address_of(m), site, order::acq_rel, true, 4}, [](value_t, value_t, value_t& next) {
            next = destroyed;
            return going::change;
        });
    if (seen != 0) misuse("a mutex is destroyed while a thread holds it", site, m);
}

unsigned let_go(pthread_mutex_t* m, std::uintptr_t site) {
    must_be_alive(m, site);
    if (!held(m)) misuse("a wait on a condition variable needs its mutex to be held", site, m);
    const unsigned depth = kind(m) == PTHREAD_MUTEX_RECURSIVE ? std::exchange(depth_of(m), 0) : 0;
    engine().visible(on_mutex(action::unlock, m, site));
    return depth;
}

void take_again(pthread_mutex_t* m, unsigned depth, std::uintptr_t site) {
    engine().visible(on_mutex(action::lock, m, site));
    if (depth > 0) depth_of(m) = depth;
}

} // namespace ringproof::verify::hook

namespace rv = ringproof::verify;
using namespace rv::hook;

RINGPROOF_HOOK int pthread_mutex_init(pthread_mutex_t* m, const pthread_mutexattr_t* attributes) noexcept {
    if (running()) {
        engine().accesses().plain(address_of(m), sizeof *m, true, RINGPROOF_SITE);
        if (engine().execution().find(address_of(m)) != rv::none)
            change({address_of(m), RINGPROOF_SITE, rv::order::relaxed, true, 4},
                   [](rv::value_t, rv::value_t, rv::value_t& next) {
                       next = 0;
                       return rv::going::change;
                   });
    }
    return RINGPROOF_NEXT(pthread_mutex_init)(m, attributes);
}
RINGPROOF_HOOK int pthread_mutex_destroy(pthread_mutex_t* m) noexcept {
    if (!running()) return RINGPROOF_NEXT(pthread_mutex_destroy)(m);
    destroy(m, RINGPROOF_SITE);
    return 0;
}
RINGPROOF_HOOK int pthread_mutex_lock(pthread_mutex_t* m) noexcept {
    RINGPROOF_STANDING(m);
    if (!running()) return RINGPROOF_NEXT(pthread_mutex_lock)(m);
    return lock(m, RINGPROOF_SITE);
}
/// C++'s: include/ringproof/verify/std/mutex. @return 0: nothing was taken, the library is to do it
RINGPROOF_HOOK int ringproof_lock_together(pthread_mutex_t* const* mutexes, std::size_t count) noexcept {
    RINGPROOF_STANDING(count);
    return running() && lock_together({mutexes, count}, RINGPROOF_SITE) ? 1 : 0;
}
RINGPROOF_HOOK int pthread_mutex_trylock(pthread_mutex_t* m) noexcept {
    RINGPROOF_STANDING(m);
    if (!running()) return RINGPROOF_NEXT(pthread_mutex_trylock)(m);
    return try_lock(m, EBUSY, RINGPROOF_SITE);
}
namespace {
/// What a timed lock returns that has ended with `result`.
int passed(clockid_t clock, const timespec& until, int result) {
    if (result == ETIMEDOUT) pass_until(clock, until);
    return result;
}
} // namespace
// The time may have run out whenever the mutex is seen taken; then it has passed.
RINGPROOF_HOOK int pthread_mutex_timedlock(pthread_mutex_t* m, const timespec* t) noexcept {
    RINGPROOF_STANDING(m, t);
    if (!running()) return RINGPROOF_NEXT(pthread_mutex_timedlock)(m, t);
    return passed(CLOCK_REALTIME, *t, try_lock(m, ETIMEDOUT, RINGPROOF_SITE));
}
RINGPROOF_HOOK int pthread_mutex_clocklock(pthread_mutex_t* m, clockid_t clock, const timespec* t) noexcept {
    RINGPROOF_STANDING(m, clock, t);
    if (!running()) return RINGPROOF_NEXT(pthread_mutex_clocklock)(m, clock, t);
    return passed(clock, *t, try_lock(m, ETIMEDOUT, RINGPROOF_SITE));
}
RINGPROOF_HOOK int pthread_mutex_unlock(pthread_mutex_t* m) noexcept {
    RINGPROOF_STANDING(m);
    if (!running()) return RINGPROOF_NEXT(pthread_mutex_unlock)(m);
    return unlock(m, RINGPROOF_SITE);
}
