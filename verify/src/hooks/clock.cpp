// SPDX-License-Identifier: Apache-2.0
// Virtual time: each thread has its own, which starts where its creator's was and passes with each look at a
// clock and each sleep, so that an execution is the same whenever it runs. Looks pass 1 microsecond at
// first, then ever more, up to an hour, so that a loop that waits for a deadline ends after a few rounds.
// Between threads it orders nothing. Looks by which the standard library computes the deadline of a timed wait pass no
// time: that the wait times out and that it does not are both explored, whatever the deadline is.

#include "clock.hpp"

#include "hook.hpp"
#include "site_property.hpp"

#include <cerrno>
#include <sched.h>
#include <sys/random.h>
#include <sys/time.h>
#include <unistd.h>

namespace ringproof::verify::hook {
namespace {

constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t epoch = 1'700'000'000 * second; ///< what realtime clocks say at the begin
constexpr std::int64_t uptime = 1'000 * second;        ///< what the others say
constexpr std::int64_t longest_step = 3'600 * second;

std::int64_t base(clockid_t clock) {
    switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_TAI:
        return epoch;
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID:
        return 0;
    default:
        return uptime;
    }
}

timespec to_timespec(std::int64_t t) { return {t / second, t % second}; }

/// A library's own look is no matter of the program's.
void note(assumption what, std::uintptr_t site) {
    if (engine().memory().in_code(site)) engine().facts().take_for_granted(what, site);
}

site_property in_timed_wait{
    [](std::uintptr_t site, const symbols& names) { return names.is_in_timed_wait(site); }};

std::int64_t look(clockid_t clock, std::uintptr_t site) {
    constexpr unsigned most_deadlines = 8; // that a library computes without doing anything in between
    thread_state& t = self();
    note(assumption::clock, site);
    t.deadlines = t.deadline_at == t.next_index ? static_cast<std::uint8_t>(t.deadlines + 1) : 0;
    t.deadline_at = t.next_index;
    if (t.deadlines < most_deadlines && in_timed_wait(site)) return base(clock) + t.clock;
    t.looked_at = t.next_index;
    std::int64_t step = 1'000;
    for (unsigned i = 3; i < t.clock_reads && step < longest_step; ++i) step *= 100;
    ++t.clock_reads;
    t.clock += step < longest_step ? step : longest_step;
    engine().accesses().note_effect(); // a round that looks at a clock is not the same as the one before
    return base(clock) + t.clock;
}

void sleep_for(std::int64_t duration) {
    if (duration > 0) self().clock += duration;
    engine().yield();
}

} // namespace

void note_deadline(const timespec* until, std::uintptr_t site) {
    self().deadline = in_timed_wait(site) ? address_of(until) : 0;
}

void pass_until(clockid_t clock, const timespec& until) {
    const std::int64_t then = to_nanoseconds(until) - base(clock);
    if (then > self().clock) self().clock = then;
}

void pass_time(std::int64_t duration) { self().clock += duration; }

} // namespace ringproof::verify::hook

using namespace ringproof::verify::hook;

RINGPROOF_HOOK int clock_gettime(clockid_t clock, timespec* t) noexcept {
    if (!running()) return RINGPROOF_NEXT(clock_gettime)(clock, t);
    write_plain(t, to_timespec(look(clock, RINGPROOF_SITE)), RINGPROOF_SITE);
    return 0;
}
RINGPROOF_HOOK int timespec_get(timespec* t, int b) noexcept {
    if (!running()) return RINGPROOF_NEXT(timespec_get)(t, b);
    if (b == TIME_UTC) write_plain(t, to_timespec(look(CLOCK_REALTIME, RINGPROOF_SITE)), RINGPROOF_SITE);
    return b == TIME_UTC ? b : 0;
}
RINGPROOF_HOOK int gettimeofday(timeval* t, void* zone) noexcept {
    if (!running()) return RINGPROOF_NEXT(gettimeofday)(t, zone);
    const timespec now = to_timespec(look(CLOCK_REALTIME, RINGPROOF_SITE));
    write_plain(t, timeval{now.tv_sec, now.tv_nsec / 1'000}, RINGPROOF_SITE);
    return 0;
}
RINGPROOF_HOOK time_t time(time_t* t) noexcept {
    if (!running()) return RINGPROOF_NEXT(time)(t);
    const time_t now = look(CLOCK_REALTIME, RINGPROOF_SITE) / second;
    if (t) write_plain(t, now, RINGPROOF_SITE);
    return now;
}
RINGPROOF_HOOK clock_t clock() noexcept {
    if (!running()) return RINGPROOF_NEXT(clock)();
    return look(CLOCK_PROCESS_CPUTIME_ID, RINGPROOF_SITE) / (second / CLOCKS_PER_SEC);
}

// libstdc++'s clocks, so that the place is the program's and not the library's.
extern "C" {
RINGPROOF_HOOK std::int64_t _ZNSt6chrono3_V212steady_clock3nowEv() {
    if (running()) return to_nanoseconds(to_timespec(look(CLOCK_MONOTONIC, RINGPROOF_SITE)));
    timespec now{};
    RINGPROOF_NEXT(clock_gettime)(CLOCK_MONOTONIC, &now);
    return to_nanoseconds(now);
}
RINGPROOF_HOOK std::int64_t _ZNSt6chrono3_V212system_clock3nowEv() {
    if (running()) return to_nanoseconds(to_timespec(look(CLOCK_REALTIME, RINGPROOF_SITE)));
    timespec now{};
    RINGPROOF_NEXT(clock_gettime)(CLOCK_REALTIME, &now);
    return to_nanoseconds(now);
}
}

// Waiting of any kind says: this round had no effect.
RINGPROOF_HOOK int nanosleep(const timespec* t, timespec* left) {
    if (!running()) return RINGPROOF_NEXT(nanosleep)(t, left);
    sleep_for(to_nanoseconds(*t));
    return 0;
}
RINGPROOF_HOOK int clock_nanosleep(clockid_t clock, int flags, const timespec* t, timespec* left) {
    if (!running()) return RINGPROOF_NEXT(clock_nanosleep)(clock, flags, t, left);
    if (flags & TIMER_ABSTIME)
        pass_until(clock, *t);
    else
        sleep_for(to_nanoseconds(*t));
    if (flags & TIMER_ABSTIME) engine().yield();
    return 0;
}
RINGPROOF_HOOK int usleep(useconds_t t) {
    if (!running()) return RINGPROOF_NEXT(usleep)(t);
    sleep_for(std::int64_t{t} * 1'000);
    return 0;
}
RINGPROOF_HOOK unsigned sleep(unsigned t) {
    if (!running()) return RINGPROOF_NEXT(sleep)(t);
    sleep_for(t * second);
    return 0;
}

// Random numbers: a sequence for each thread, the same in each execution.
namespace {
int next_random(std::uintptr_t site) {
    note(ringproof::verify::assumption::random, site);
    std::uint32_t& x = self().random;
    x = x * 1'103'515'245u + 12'345u;
    return static_cast<int>((x >> 1) & 0x7fff'ffff);
}
} // namespace

RINGPROOF_HOOK int rand() noexcept {
    return running() ? next_random(RINGPROOF_SITE) : RINGPROOF_NEXT(rand)();
}
RINGPROOF_HOOK long random() noexcept {
    return running() ? next_random(RINGPROOF_SITE) : RINGPROOF_NEXT(random)();
}
RINGPROOF_HOOK int rand_r(unsigned* seed) noexcept {
    if (!running()) return RINGPROOF_NEXT(rand_r)(seed);
    note(ringproof::verify::assumption::random, RINGPROOF_SITE);
    engine().accesses().plain(address_of(seed), sizeof *seed, true, RINGPROOF_SITE);
    return RINGPROOF_NEXT(rand_r)(seed);
}
RINGPROOF_HOOK void srand(unsigned seed) noexcept {
    if (!running()) return RINGPROOF_NEXT(srand)(seed);
    self().random = seed;
}
RINGPROOF_HOOK void srandom(unsigned seed) noexcept {
    if (!running()) return RINGPROOF_NEXT(srandom)(seed);
    self().random = seed;
}
RINGPROOF_HOOK long lrand48() noexcept {
    return running() ? next_random(RINGPROOF_SITE) : RINGPROOF_NEXT(lrand48)();
}
RINGPROOF_HOOK long mrand48() noexcept {
    return running() ? next_random(RINGPROOF_SITE) - (1 << 30) : RINGPROOF_NEXT(mrand48)();
}
RINGPROOF_HOOK double drand48() noexcept {
    if (!running()) return RINGPROOF_NEXT(drand48)();
    return static_cast<double>(next_random(RINGPROOF_SITE)) / 0x1p31;
}
RINGPROOF_HOOK void srand48(long seed) noexcept {
    if (!running()) return RINGPROOF_NEXT(srand48)(seed);
    self().random = static_cast<std::uint32_t>(seed);
}
// Which CPU a thread runs on, chance decides as well.
RINGPROOF_HOOK int sched_getcpu() noexcept {
    if (running()) note(ringproof::verify::assumption::random, RINGPROOF_SITE);
    return running() ? 0 : RINGPROOF_NEXT(sched_getcpu)();
}
// std::random_device's numbers, which a processor makes by itself.
RINGPROOF_HOOK unsigned _ZNSt13random_device9_M_getvalEv(void* device) {
    if (running()) return static_cast<unsigned>(next_random(RINGPROOF_SITE)) << 1;
    return reinterpret_cast<unsigned (*)(void*)>(dlsym(RTLD_NEXT, "_ZNSt13random_device9_M_getvalEv"))(
        device);
}
RINGPROOF_HOOK ssize_t getrandom(void* to, std::size_t size, unsigned flags) {
    if (!running()) return RINGPROOF_NEXT(getrandom)(to, size, flags);
    engine().accesses().plain(address_of(to), size, true, RINGPROOF_SITE);
    for (std::size_t i = 0; i < size; ++i)
        static_cast<char*>(to)[i] = static_cast<char>(next_random(RINGPROOF_SITE));
    return static_cast<ssize_t>(size);
}
#if __GLIBC_PREREQ(2, 36)
RINGPROOF_HOOK std::uint32_t arc4random() noexcept {
    if (!running()) return RINGPROOF_NEXT(arc4random)();
    return static_cast<std::uint32_t>(next_random(RINGPROOF_SITE)) << 1;
}
RINGPROOF_HOOK std::uint32_t arc4random_uniform(std::uint32_t bound) noexcept {
    if (!running()) return RINGPROOF_NEXT(arc4random_uniform)(bound);
    return bound == 0 ? 0 : static_cast<std::uint32_t>(next_random(RINGPROOF_SITE)) % bound;
}
#endif
RINGPROOF_HOOK int getentropy(void* to, std::size_t size) {
    if (!running()) return RINGPROOF_NEXT(getentropy)(to, size);
    return getrandom(to, size, 0) < 0 ? -1 : 0;
}
