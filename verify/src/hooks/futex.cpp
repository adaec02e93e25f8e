// SPDX-License-Identifier: Apache-2.0
// Sleeping on an address: std::atomic's wait (see include/ringproof/verify/std/bits/atomic_wait.h), and the
// system call for those who use it themselves. std::atomic's sleep does not end on its own, for it would only look
// again; the system call's may, and one with a time limit ends at it, or is woken before.

#include "../program/callers.hpp"
#include "clock.hpp"
#include "descriptors.hpp"
#include "hook.hpp"
#include "mmap.hpp"

#include <cerrno>
#include <climits>
#include <cstdarg>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace rv = ringproof::verify;
using namespace rv::hook;

namespace {

constexpr const char* never_woken = "lost wake-up: a thread sleeps for ever, as no one notifies the atomic "
                                    "that it waits for after changing it";

void sleep_at(std::uintptr_t address, std::uintptr_t site, const char* awaits = never_woken) {
    rv::request r;
    r.act = rv::action::sleep;
    r.address = address;
    r.site = site;
    r.awaits = awaits;
    engine().visible(r);
}

/// @param frame the hook's, if it returns the number of threads that were woken; else 0
void wake_at(std::uintptr_t address, unsigned count, std::uintptr_t site, std::uintptr_t frame = 0) {
    rv::request r;
    r.act = rv::action::wake;
    r.arrives_in = frame;
    r.frame = address;
    r.operand = count;
    r.site = site;
    engine().visible(r);
}

/// How long a wait may take: `relative`, or until a time of a clock. Null: as long as it takes.
struct time_limit {
    const timespec* time = nullptr;
    bool relative = true;
    clockid_t clock = CLOCK_MONOTONIC;
    explicit operator bool() const { return time != nullptr; }
    /// In the thread's own time.
    void pass() const {
        if (relative)
            pass_time(to_nanoseconds(*time));
        else
            pass_until(clock, *time);
    }
};

/// @param signals whether a signal may end the wait as well @return 0 or the error
int futex_wait(std::uintptr_t address, unsigned value, time_limit limit, bool signals, std::uintptr_t site) {
    const bool ends_at_limit = limit && engine().times_out(address, site);
    const bool early = !ends_at_limit && engine().wakes_early(address, site);
    const rv::value_t seen = engine().visible(
        request_for(rv::action::load, {address, site, rv::order::relaxed, false, 4}, nullptr, 0));
    if ((early || ends_at_limit) &&
        seen != value) { // it does not sleep, which is explored without this choice
        rv::request same;
        same.act = rv::action::block;
        engine().visible(same);
    }
    if (early) return signals && engine().is_interrupted(address, site) ? EINTR : 0;
    if (seen != value) return EAGAIN;
    if (!ends_at_limit) sleep_at(address, site, limit ? "" : never_woken); // returns only in other executions
    limit.pass();
    return ETIMEDOUT;
}

long futex(std::uintptr_t address, int operation, unsigned value, const timespec* limit, unsigned bits,
           std::uintptr_t site, std::uintptr_t frame) {
    const int command = operation & FUTEX_CMD_MASK;
    if ((command == FUTEX_WAIT_BITSET || command == FUTEX_WAKE_BITSET) && bits != FUTEX_BITSET_MATCH_ANY)
        unsupported("a futex whose bitset is not FUTEX_BITSET_MATCH_ANY", site);
    switch (command) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET: {
        const time_limit until{limit, command == FUTEX_WAIT,
                               operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC};
        const int error = futex_wait(address, value, until, false, site);
        if (error == 0) return 0;
        errno = error;
        return -1;
    }
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
        wake_at(address, value, site, frame); // how many sleep is not known: see explorer::perform()
        return 0;
    default:
        unsupported("this operation of the futex system call", site);
    }
}

} // namespace

RINGPROOF_HOOK void ringproof_atomic_waits(int waits) noexcept {
    if (running()) self().waits = waits != 0;
}
RINGPROOF_HOOK void ringproof_atomic_sleep(const void* address) noexcept {
    if (!running()) {
        RINGPROOF_NEXT(sched_yield)();
        return;
    }
    // A semaphore's predicate is false also when another thread was faster; then it is to look again.
    const rv::graph& g = engine().execution();
    const rv::thread_state& t = self();
    if (t.next_index > 1 && g.at(g.in_thread(t.id, t.next_index - 1u)).locked) return;
    sleep_at(address_of(address), RINGPROOF_SITE);
}
RINGPROOF_HOOK void ringproof_atomic_notify(const void* address, int all) noexcept {
    if (running()) wake_at(address_of(address), all ? INT_MAX : 1, RINGPROOF_SITE);
}

/// For programs in words whose waits end by signals, too.
RINGPROOF_HOOK int ringproof_futex_wait(const void* address, int value, int timed) noexcept {
    if (!running()) return EINTR;
    static constexpr timespec shortly{0, 1'000};
    return futex_wait(address_of(address), static_cast<unsigned>(value), {timed != 0 ? &shortly : nullptr},
                      true, RINGPROOF_SITE);
}

RINGPROOF_HOOK long syscall(long number, ...) noexcept {
    va_list rest;
    va_start(rest, number);
    long a[6];
    for (long& x : a) x = va_arg(rest, long);
    va_end(rest);
    if (running() && number == SYS_futex) {
        RINGPROOF_STANDING(a[0], a[1], a[2], a[3]);
        return futex(static_cast<std::uintptr_t>(a[0]), static_cast<int>(a[1]), static_cast<unsigned>(a[2]),
                     reinterpret_cast<const timespec*>(a[3]), static_cast<unsigned>(a[5]), RINGPROOF_SITE,
                     RINGPROOF_PROGRAM_FRAME);
    }
    if (running() && number == SYS_gettid) return gettid();
    if (running() && rv::is_memory_call(number) && !rv::callers::is_engine(RINGPROOF_SITE))
        return rv::memory_call(number, a, RINGPROOF_SITE);
    if (running() && (number == SYS_clone || number == SYS_fork || number == SYS_membarrier))
        unsupported("this system call", RINGPROOF_SITE);
    if (rv::callers::by_program(RINGPROOF_SITE))
        rv::descriptors::must_not_be_raw(number, a[0], RINGPROOF_SITE);
    return RINGPROOF_NEXT(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
