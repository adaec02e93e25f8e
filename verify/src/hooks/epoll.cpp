// SPDX-License-Identifier: Apache-2.0
// epoll(7): level-triggered, edge-triggered and one-shot. As in the kernel, a file that becomes ready puts its item on the
// instance's ready list; epoll_wait() takes the list, looks at each file again, reports those that are ready, and puts
// the level-triggered ones back. What an item asks for, and whether it is on the list, is in the instance's word; which
// file it is of, and its data, is memory that the instance's lock guards. Of several files that are ready any may be
// reported first: each order is explored.
//
// The second look at a file reads it relaxed, as the kernel does, so it may see a write whose wake-up has not arrived, and
// then nothing is ordered. Such a file is reported once; after that it is not ready before the wake-up arrives, which puts
// it on the list again. A level-triggered loop could otherwise go round for ever while the writer stands still.
//
// A look without waiting reads the list relaxed, as the kernel does without its lock: it may miss what just came.

#include "descriptors.hpp"

#include "../program/callers.hpp"
#include "clock.hpp"

#include <bit>
#include <cerrno>
#include <climits>
#include <cstring>
#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

namespace ringproof::verify::descriptors {
namespace {

const char* const never_ready =
    "lost wake-up: a thread waits for ever in epoll_wait(), none of whose files will become ready";
constexpr value_t all_ready = at_each_item(ready);
constexpr value_t closed_instance = bit(113);

going lock_instance(value_t seen, value_t, value_t& next) {
    if (seen & scanning) return going::wait;
    next = seen | scanning;
    return going::change;
}
/// `what`: the item, and above it its bits.
going set_item(value_t seen, value_t what, value_t& next) {
    const auto item = static_cast<unsigned>(what & 0xff);
    next = (seen & ~at_item(item, 127u & ~ready)) | at_item(item, static_cast<unsigned>(what >> 8));
    return going::change;
}
/// Gives the lock back, and the items of `back` to the ready list.
going unlock_instance(value_t seen, value_t back, value_t& next) {
    next = (seen & ~scanning) | back;
    return going::change;
}
going drop(value_t seen, value_t item, value_t& next) {
    next = seen & ~at_item(static_cast<unsigned>(item), 127) & ~scanning;
    return going::change;
}
going close_instance(value_t seen, value_t, value_t& next) {
    next = (seen | closed_instance) & ~scanning;
    return going::change;
}

/// `known`: items on the list that need no second look: timers which are to expire later than something else.
going take_list(value_t seen, value_t known, value_t& next) {
    if (seen & closed_instance) return going::leave;
    if (seen & scanning || (seen & all_ready & ~known) == 0) return going::wait;
    next = (seen & ~all_ready) | scanning;
    return going::change;
}
going take_list_if_any(value_t seen, value_t, value_t& next) {
    if (seen & closed_instance || (seen & all_ready) == 0) return going::leave;
    return take_list(seen, 0, next);
}
/// `what`: the items to put back, and above them, seven bits on, those that are disabled.
going end_scan(value_t seen, value_t what, value_t& next) {
    const value_t back = what & all_ready;
    const value_t disabled = what & at_each_item(used); // one-shot
    next = (seen & ~scanning) | back;
    for (unsigned i = 0; i < most_watched; ++i)
        if (disabled & at_item(i, used)) next &= ~at_item(i, enabled | ready);
    return going::change;
}

value_t lock(const end& e, std::uintptr_t site) {
    const value_t seen = hook::take(on(e, order::acq_rel, site, "lock epoll"), lock_instance, 0, shortly);
    if (seen & closed_instance) must_be_open(e, closed(0), site);
    return seen;
}
void unlock(const end& e, value_t back, std::uintptr_t site) {
    hook::change(on(e, order::acq_rel, site, "unlock epoll"), unlock_instance, back);
}

unsigned bits_of(const epoll_event& event, std::uintptr_t site) {
    constexpr unsigned known = EPOLLIN | EPOLLOUT | EPOLLERR | EPOLLHUP | EPOLLRDHUP | EPOLLPRI |
                               EPOLLRDNORM | EPOLLWRNORM | EPOLLET | EPOLLONESHOT;
    if (event.events & EPOLLEXCLUSIVE)
        hook::unsupported("EPOLLEXCLUSIVE (which of several instances is woken)", site);
    if (event.events & ~known) hook::unsupported("this event of epoll_ctl()", site);
    return used | enabled | (event.events & (EPOLLIN | EPOLLRDNORM) ? in : 0u) |
           (event.events & (EPOLLOUT | EPOLLWRNORM) ? out : 0u) | (event.events & EPOLLET ? edge : 0u) |
           (event.events & EPOLLONESHOT ? once : 0u);
}

int change_item(const end& e, int operation, unsigned item, const end& file, const epoll_event& event,
                std::uintptr_t site) {
    const unsigned bits = bits_of(event, site);
    e.items[item] = {&file, event.data.u64, false};
    hook::change(on(e, order::acq_rel, site, "set epoll item"), set_item, item | value_t{bits} << 8);
    const value_t now = operation == EPOLL_CTL_ADD ? watch(file, e.instance, item, site)
                                                   : look(file, site, "look whether ready");
    const unsigned is = readiness(file, now) | (will_expire(file, now) ? POLLIN : 0u);
    unlock(e, is & asked(bits) ? at_item(item, ready) : value_t{0}, site);
    return 0;
}

int control_epoll(const end& e, int operation, const end& file, const epoll_event* event,
                  std::uintptr_t site) {
    if (file.items) hook::unsupported("an epoll instance that another one watches", site);
    if (event && operation != EPOLL_CTL_DEL)
        hook::engine().accesses().plain(hook::address_of(event), sizeof *event, false, site);
    const value_t seen = lock(e, site);
    unsigned free = most_watched, item = most_watched;
    for (unsigned i = most_watched; i-- > 0;) {
        if (!(item_of(seen, i) & used))
            free = i;
        else if (e.items[i].file == &file)
            item = i;
    }
    const bool adds = operation == EPOLL_CTL_ADD;
    if (adds == (item != most_watched)) {
        unlock(e, 0, site);
        return fails(adds ? EEXIST : ENOENT);
    }
    if (operation == EPOLL_CTL_DEL) {
        unwatch(file, e.instance, item, site);
        hook::change(on(e, order::acq_rel, site, "drop from epoll"), drop, item);
        return 0;
    }
    if (adds && free == most_watched)
        hook::engine().fail_here(failure_kind::limit, "an epoll instance watches more than 16 files", site,
                                 0);
    return change_item(e, operation, adds ? free : item, file, *event, site);
}

/// Whether what the running thread read last is ordered before.
bool knows_last_read() {
    const thread_state& t = hook::self();
    const graph& g = hook::engine().execution();
    const event& read = g.at(g.in_thread(t.id, t.next_index - 1u));
    const event& write = g.at(read.rf);
    return write.thread == init_thread || t.clocks.hb().includes(write.thread, write.index);
}

/// A timer that expires again and again is reported at each expiration, and would have to be counted here.
void must_not_repeat(const end& file, unsigned item, value_t word, std::uintptr_t site) {
    if (file.what == kind::timer && (word & periodic) && (item & edge))
        hook::unsupported(
            "an edge-triggered timerfd that expires periodically (use it level-triggered, and read it)",
            site);
}

/// How the items of a list are looked at.
struct scanned {
    coming how;
    value_t after = 0; ///< for end_scan()
    value_t later = 0; ///< timers that are to expire later
};

/// Whether, and in which ways, a file is to be reported.
unsigned look_again(const end& e, unsigned i, unsigned item, scanned& s, std::uintptr_t site) {
    watched& w = e.items[i];
    value_t now = look(*w.file, site, "look whether ready");
    must_not_repeat(*w.file, item, now, site);
    if ((item & in) && will_expire(*w.file, now)) {
        now = let_expire(*w.file, now, s.how, site, static_cast<unsigned>(watcher(e.instance, i, 0)));
        if (will_expire(*w.file, now)) s.later |= at_item(i, ready);
    }
    const unsigned is = readiness(*w.file, now) & asked(item);
    const bool early = is != 0 && !knows_last_read();
    if (early && w.early) { // once is explored
        hook::engine().facts().take_for_granted(assumption::spurious_wake, site);
        return 0;
    }
    w.early = early;
    return is;
}

/// Looks at the items of the list again. @return how many are reported
int scan(const end& e, value_t word, epoll_event* events, int most, scanned& s, std::uintptr_t site) {
    unsigned list[most_watched], left = 0;
    for (unsigned i = 0; i < most_watched; ++i)
        if (item_of(word, i) & ready) list[left++] = i;
    int n = 0;
    while (left > 0 && n < most) {
        const unsigned chosen = hook::engine().choose(left, site), i = list[chosen];
        list[chosen] = list[--left];
        const unsigned item = item_of(word, i);
        if (!(item & enabled)) continue;
        const unsigned is = look_again(e, i, item, s, site);
        if (is == 0) continue;
        hook::engine().accesses().plain(hook::address_of(events + n), sizeof *events, true, site);
        events[n].events = is;
        events[n++].data.u64 = e.items[i].data;
        if (item & once)
            s.after |= at_item(i, used);
        else if (!(item & edge))
            s.after |= at_item(i, ready);
    }
    while (left > 0) s.after |= at_item(list[--left], ready);
    s.after |= s.later;
    return n;
}

/// @param limit nanoseconds, negative for none
int wait(const end& e, epoll_event* events, int most, std::int64_t limit, std::uintptr_t site) {
    if (most <= 0) return fails(EINVAL);
    if (limit != 0 && is_interrupted(e, true, site)) return fails(EINTR);
    const bool looks = limit == 0 || (limit > 0 && hook::engine().times_out(e.word, site));
    if (limit > 0 && looks) hook::pass_time(limit);
    if (looks && (look(e, site, "look whether any is ready") & all_ready) == 0) return 0;
    for (value_t later = 0;;) {
        const value_t seen =
            hook::take(on(e, order::acq_rel, site, "wait for epoll"), looks ? take_list_if_any : take_list,
                       later, limit > 0 || later != 0 ? "" : never_ready);
        if (seen & closed_instance) must_be_open(e, closed(0), site);
        if ((seen & all_ready) == 0) return 0;
        scanned s{looks ? coming::looks : coming::waits_for_others_too};
        const int n = scan(e, seen, events, most, s, site);
        hook::change(on(e, order::acq_rel, site, "end epoll"), end_scan, s.after);
        if (n > 0 || looks) return n;
        later = s.later;
    }
}

int make_epoll(std::uintptr_t site) {
    const unsigned nth = count(kind::epoll);
    if (nth + 1 == instances_each)
        hook::engine().fail_here(failure_kind::limit, "a thread makes more than 7 epoll instances", site, 0);
    return make_instance(kind::epoll, hook::self().id * instances_each + nth, site).number;
}

} // namespace

made make_instance(kind what, unsigned number, std::uintptr_t site) {
    const std::uintptr_t word = new_word();
    const made m = make(what, word, site);
    m.at->instance = static_cast<std::uint8_t>(number);
    constexpr std::size_t size = most_watched * sizeof(watched);
    m.at->items = static_cast<watched*>(std::memset(hook::note_room(size), 0, size));
    hook::change(on(*m.at, order::relaxed, site, "make epoll"), unlock_instance, 0);
    return m;
}

void drop_item(const end& instance, unsigned item, std::uintptr_t site) {
    lock(instance, site);
    instance.items[item].file = nullptr;
    hook::change(on(instance, order::acq_rel, site, "drop from epoll"), drop, item);
}

int close_epoll(const end& e, std::uintptr_t site) {
    const value_t seen = lock(e, site);
    for (unsigned i = 0; i < most_watched; ++i)
        if (item_of(seen, i) & used) unwatch(*e.items[i].file, e.instance, i, site);
    hook::change(on(e, order::acq_rel, site, "close epoll"), close_instance);
    return 0;
}

} // namespace ringproof::verify::descriptors

namespace rv = ringproof::verify;
namespace descriptors = ringproof::verify::descriptors;
using namespace rv::hook;

namespace {
constexpr std::int64_t milli = 1'000'000;

const descriptors::end* instance_at(int number) {
    const descriptors::end* const e = descriptors::find(number);
    return e && e->what == descriptors::kind::epoll ? e : nullptr;
}
std::int64_t nanoseconds(const timespec* t) {
    return t ? std::int64_t{t->tv_sec} * 1'000 * milli + t->tv_nsec : -1;
}
} // namespace

RINGPROOF_HOOK int epoll_create1(int flags) noexcept {
    if (!rv::callers::for_program(RINGPROOF_SITE)) return RINGPROOF_NEXT(epoll_create1)(flags);
    return flags & ~EPOLL_CLOEXEC ? descriptors::fails(EINVAL) : descriptors::make_epoll(RINGPROOF_SITE);
}
RINGPROOF_HOOK int epoll_create(int size) noexcept {
    if (!rv::callers::for_program(RINGPROOF_SITE)) return RINGPROOF_NEXT(epoll_create)(size);
    return size <= 0 ? descriptors::fails(EINVAL) : descriptors::make_epoll(RINGPROOF_SITE);
}
RINGPROOF_HOOK int epoll_ctl(int instance, int operation, int file, epoll_event* event) noexcept {
    const descriptors::end* const e = instance_at(instance);
    const descriptors::end* const f = descriptors::find(file);
    if (!e && !f) return RINGPROOF_NEXT(epoll_ctl)(instance, operation, file, event);
    if (!e || !f)
        unsupported("epoll of other files than eventfd, pipe, timerfd and signalfd (sockets, terminals)",
                    RINGPROOF_SITE);
    return descriptors::control_epoll(*e, operation, *f, event, RINGPROOF_SITE);
}
RINGPROOF_HOOK int epoll_wait(int instance, epoll_event* events, int most, int limit) {
    RINGPROOF_STANDING(instance, events, most, limit);
    if (const descriptors::end* const e = instance_at(instance))
        return descriptors::wait(*e, events, most, limit * milli, RINGPROOF_SITE);
    return RINGPROOF_NEXT(epoll_wait)(instance, events, most, limit);
}
RINGPROOF_HOOK int epoll_pwait(int instance, epoll_event* events, int most, int limit, const sigset_t* mask) {
    RINGPROOF_STANDING(instance, events, most, limit, mask);
    if (const descriptors::end* const e = instance_at(instance))
        return descriptors::wait(*e, events, most, limit * milli, RINGPROOF_SITE);
    return RINGPROOF_NEXT(epoll_pwait)(instance, events, most, limit, mask);
}
RINGPROOF_HOOK int epoll_pwait2(int instance, epoll_event* events, int most, const timespec* limit,
                                const sigset_t* mask) {
    RINGPROOF_STANDING(instance, events, most, limit, mask);
    if (const descriptors::end* const e = instance_at(instance))
        return descriptors::wait(*e, events, most, nanoseconds(limit), RINGPROOF_SITE);
    return RINGPROOF_NEXT(epoll_pwait2)(instance, events, most, limit, mask);
}
