// SPDX-License-Identifier: Apache-2.0
// timerfd_create(2). How long a timer takes is not compared with what the threads do: one that is set may have expired
// or not whenever a thread looks, and both are explored. A thread that waits for it alone waits until it has expired.
// The thread that comes to an expired timer does what the kernel's interrupt would have done before: it counts the
// expiration and tells who watches the file. So whoever watches is told when the timer is set, too, and looks.

#include "descriptors.hpp"

#include "../program/callers.hpp"
#include "clock.hpp"

#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/timerfd.h>
#include <utility>

namespace ringproof::verify::descriptors {
namespace {

constexpr std::int64_t micro = 1'000, second = 1'000'000'000;
constexpr unsigned first_time =
    16; ///< bit of the word: above are the microseconds until the first expiration
const char* const never_set =
    "lost wake-up: a thread waits for ever in read() of a timerfd that no thread will set";

going set(value_t seen, value_t to, value_t& next) {
    next = (seen & ~state_mask) | to;
    return going::change;
}
going expire(value_t seen, value_t, value_t& next) {
    next = seen;
    if (seen & closed(0) || !(seen & armed) || (seen & expirations)) return going::change;
    next |= 1;
    if (!(seen & periodic)) next &= ~armed;
    return going::change;
}
/// `all`: whether a timer that will expire does now.
going take_expirations(value_t seen, value_t all, value_t& next) {
    next = seen;
    if (seen & closed(0)) return going::change;
    if (seen & expirations)
        next &= ~expirations;
    else if ((seen & armed) && all != 0 && !(seen & periodic))
        next &= ~armed;
    return going::change;
}
going take_or_wait(value_t seen, value_t, value_t& next) {
    if (!(seen & (closed(0) | expirations | armed))) return going::wait;
    return take_expirations(seen, 1, next);
}

void pass_time_of(value_t word) {
    hook::pass_time(static_cast<std::int64_t>(static_cast<std::uint64_t>(word) >> first_time) * micro);
}

/// Another execution, in which the thread came here later, is this one.
void leave_to_twin() {
    request same;
    same.act = action::block;
    same.other = 1;
    hook::engine().visible(same);
}

/// How often the running thread has found a timer not expired at `site`: in a row, and in all.
std::pair<unsigned, unsigned> early_looks(std::uintptr_t site) {
    const graph& g = hook::engine().execution();
    const thread_state& t = hook::self();
    unsigned in_a_row = 0, all = 0;
    bool expired = false;
    for (unsigned i = t.next_index; i-- > 1;) {
        const event& e = g.at(g.in_thread(t.id, i));
        if (e.kind != event_kind::choice || e.site != site) continue;
        expired = expired || e.value != 0;
        all += e.value == 0;
        in_a_row += !expired;
    }
    return {in_a_row, all};
}

/// Both is explored; a loop that looks until the timer has expired ends.
bool has_expired(std::uintptr_t site) {
    constexpr unsigned most_in_a_row = 2, most = 8;
    if (const auto [in_a_row, all] = early_looks(site); in_a_row < most_in_a_row && all < most)
        return hook::engine().choose(2, site) != 0;
    hook::engine().bound("a look at a timerfd comes too early twice in a row, and eight times in all");
    return true;
}

ssize_t give(std::uint64_t count, void* to, std::uintptr_t site) {
    hook::engine().accesses().plain(hook::address_of(to), sizeof count, true, site);
    std::memcpy(to, &count, sizeof count);
    return sizeof count;
}

/// How many expirations a read finds that comes at, or after, the first one.
std::uint64_t expirations_of(value_t seen, std::uintptr_t site) {
    return seen & periodic ? 1u + hook::engine().choose(2, site) : 1u;
}

} // namespace

value_t let_expire(const end& e, value_t word, coming how, std::uintptr_t site, unsigned but) {
    if (how == coming::looks && !has_expired(site)) return word;
    if (how == coming::waits_for_others_too && hook::engine().choose(2, site) == 0) return word;
    const value_t seen = hook::change(on(e, order::acq_rel, site, "timer expires"), expire);
    must_be_open(e, seen, site);
    value_t now = seen;
    expire(seen, 0, now);
    if (now == seen) return now; // another thread has come to it first
    pass_time_of(seen);
    tell(seen, 0, POLLIN, site, but);
    return now;
}

ssize_t read_timer(const end& e, void* to, std::size_t size, std::uintptr_t site) {
    if (size < sizeof(std::uint64_t)) return fails(EINVAL);
    if (is_interrupted(e, false, site)) return fails(EINTR);
    value_t seen = ask(e, {take_or_wait, take_expirations, "read timerfd", never_set}, 0, site);
    must_be_open(e, seen, site);
    if (seen & expirations) return give(expirations_of(seen, site), to, site);
    if (!(seen & armed)) return fails(EAGAIN);
    if (!e.non_blocking) {
        // Loops that wait for each expiration end in this way. In the other execution the timer has expired later.
        if (!hook::engine().times_out(e.word, site)) leave_to_twin();
    } else {
        if (!has_expired(site)) return fails(EAGAIN);
        seen = hook::change(on(e, order::acq_rel, site, "read timerfd"), take_expirations, 1);
        must_be_open(e, seen, site);
        if (!(seen & (expirations | armed))) return fails(EAGAIN); // another thread has read it
    }
    pass_time_of(seen);
    return give(expirations_of(seen, site), to, site);
}

namespace {

bool is_valid(const timespec& t) { return t.tv_sec >= 0 && t.tv_nsec >= 0 && t.tv_nsec < second; }

int set_timer(const end& e, int flags, const itimerspec* to, itimerspec* before, std::uintptr_t site) {
    if (e.what != kind::timer) return fails(EINVAL);
    if (flags & TFD_TIMER_CANCEL_ON_SET)
        hook::unsupported("TFD_TIMER_CANCEL_ON_SET (a clock that is set)", site);
    if (before) hook::unsupported("timerfd_settime() that returns the time that remained", site);
    hook::engine().accesses().plain(hook::address_of(to), sizeof *to, false, site);
    if (!is_valid(to->it_value) || !is_valid(to->it_interval)) return fails(EINVAL);
    const std::int64_t time = to->it_value.tv_sec * second + to->it_value.tv_nsec;
    value_t word = 0;
    if (time != 0) {
        constexpr std::int64_t a_day = 86'400 * second;
        const bool absolute = (flags & TFD_TIMER_ABSTIME) != 0;
        word = armed | value_t{static_cast<std::uint64_t>(absolute ? 0 : std::min(time, a_day) / micro)}
                           << first_time;
        if (to->it_interval.tv_sec != 0 || to->it_interval.tv_nsec != 0) word |= periodic;
    }
    const value_t seen = hook::change(on(e, order::acq_rel, site, "set timerfd"), set, word);
    must_be_open(e, seen, site);
    if (word & armed) tell(seen, 0, POLLIN, site);
    return 0;
}

int make_timer(int flags, std::uintptr_t site) {
    if (flags & ~(TFD_NONBLOCK | TFD_CLOEXEC)) return fails(EINVAL);
    const std::uintptr_t word = new_word();
    const made m = make(kind::timer, word, site);
    m.at->non_blocking = (flags & TFD_NONBLOCK) != 0;
    hook::change(on(*m.at, order::relaxed, site, "make timerfd"), set, 0);
    return m.number;
}

} // namespace
} // namespace ringproof::verify::descriptors

namespace rv = ringproof::verify;
using namespace rv::hook;

RINGPROOF_HOOK int timerfd_create(int clock, int flags) noexcept {
    if (!rv::callers::for_program(RINGPROOF_SITE)) return RINGPROOF_NEXT(timerfd_create)(clock, flags);
    return rv::descriptors::make_timer(flags, RINGPROOF_SITE);
}
RINGPROOF_HOOK int timerfd_settime(int file, int flags, const itimerspec* to, itimerspec* before) noexcept {
    if (const rv::descriptors::end* const e = rv::descriptors::find(file))
        return rv::descriptors::set_timer(*e, flags, to, before, RINGPROOF_SITE);
    return RINGPROOF_NEXT(timerfd_settime)(file, flags, to, before);
}
RINGPROOF_HOOK int timerfd_gettime(int file, itimerspec* now) noexcept {
    if (rv::descriptors::find(file)) unsupported("timerfd_gettime() (the time that remains)", RINGPROOF_SITE);
    return RINGPROOF_NEXT(timerfd_gettime)(file, now);
}
