// SPDX-License-Identifier: Apache-2.0
// poll(2), ppoll(2), select(2) and pselect(2). A wait for one file waits for its word. A wait for several registers an
// item with each, as the kernel enters its wait queues, and sleeps on a word of the thread's own; then it looks at all of
// them. A look without waiting takes no lock in the kernel: it reads relaxed, and may miss what just came.

#include "descriptors.hpp"

#include "../program/callers.hpp"
#include "clock.hpp"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <sys/select.h>

namespace ringproof::verify::descriptors {
namespace {

const char* const never_ready =
    "lost wake-up: a thread waits for ever in poll() or select(), none of whose files will become ready";
constexpr value_t all_ready = at_each_item(ready);

struct polled {
    const end* file; ///< null: to be passed over
    unsigned asked;  ///< POLLIN, POLLOUT
    unsigned is;     ///< the result
};

/// What to wait for, for is_ready(): the kind of file, which of its sides, what is asked for, which signals.
value_t awaited(const polled& f) {
    return static_cast<unsigned>(f.file->what) | side_of(*f.file) << 8 | f.asked << 16 |
           value_t{f.file->set} << 32;
}
going is_ready(value_t seen, value_t what, value_t&) {
    const auto of = static_cast<kind>(what & 0xff);
    const auto asked = static_cast<unsigned>(what >> 16 & 0xffff) | POLLERR | POLLHUP;
    const bool gone = (seen & closed(static_cast<unsigned>(what >> 8 & 1))) != 0;
    const bool to_come = of == kind::timer && (asked & POLLIN) && (seen & armed);
    const auto set = static_cast<std::uint32_t>(what >> 32);
    return gone || to_come || (readiness(of, set, seen) & asked) ? going::leave : going::wait;
}
going begin(value_t, value_t items, value_t& next) {
    next = items;
    return going::change;
}
going wake_up(value_t seen, value_t, value_t& next) {
    if ((seen & all_ready) == 0) return going::wait;
    next = seen & ~all_ready;
    return going::change;
}

/// Looks at each file once. @param mo acquire where the kernel takes the lock of each wait queue
/// @param timers how many of them are timers that will expire, and are asked for
/// @return how many are ready
int look_at_all(polled* files, unsigned count, order mo, coming how, unsigned& timers, std::uintptr_t site) {
    int n = 0;
    timers = 0;
    for (polled* f = files; f != files + count; ++f) {
        f->is = 0;
        if (!f->file) continue;
        value_t now = look(*f->file, site, "look whether ready", mo);
        must_be_open(*f->file, now, site);
        if ((f->asked & POLLIN) && will_expire(*f->file, now)) now = let_expire(*f->file, now, how, site);
        timers += (f->asked & POLLIN) && will_expire(*f->file, now);
        f->is = readiness(*f->file, now) & (f->asked | POLLERR | POLLHUP);
        n += f->is != 0;
    }
    return n;
}
int look_once(polled* files, unsigned count, std::uintptr_t site) {
    unsigned timers = 0;
    return look_at_all(files, count, order::relaxed, coming::looks, timers, site);
}

const end& poller(std::uintptr_t site) {
    if (const end* const own = own_poller()) return *own;
    return *make_instance(kind::poller, hook::self().id * instances_each + instances_each - 1, site).at;
}

/// Another execution is this one.
void leave_to_twin() {
    request same;
    same.act = action::block;
    same.other = 1;
    hook::engine().visible(same);
}

int wait_for_one(polled& f, const char* awaits, std::uintptr_t site) {
    value_t seen = 0;
    do {
        seen =
            hook::take(on(*f.file, order::acquire, site, "look until ready"), is_ready, awaited(f), awaits);
        must_be_open(*f.file, seen, site);
        if (will_expire(*f.file, seen)) seen = let_expire(*f.file, seen, coming::waits, site);
        f.is = readiness(*f.file, seen) & (f.asked | POLLERR | POLLHUP);
    } while (f.is == 0); // another thread has read the timer, or set it anew
    return 1;
}

/// Where any file is ready when the thread has entered the wait queues, it does not sleep: an execution in which it finds
/// that at its first look, and orders less, comes to the same, and is explored.
int wait_for_any(polled* files, unsigned count, const char* awaits, std::uintptr_t site) {
    unsigned timers = 0; // that are still to expire: then to sleep for ever is no execution
    const int at_once = look_at_all(files, count, order::acquire, coming::waits_for_others_too, timers, site);
    if (at_once != 0) return at_once;
    const end& own = poller(site);
    value_t items = 0;
    for (unsigned i = 0; i < count; ++i)
        if (files[i].file)
            items |= at_item(i, enabled | (files[i].asked & POLLIN ? in : 0u) |
                                    (files[i].asked & POLLOUT ? out : 0u));
    hook::change(on(own, order::acq_rel, site, "begin poll"), begin, items);
    for (unsigned i = 0; i < count; ++i) {
        if (!files[i].file) continue;
        const value_t now = watch(*files[i].file, own.instance, i, site);
        if (readiness(*files[i].file, now) & (files[i].asked | POLLERR | POLLHUP)) leave_to_twin();
    }
    int n = 0;
    while (n == 0) {
        hook::take(on(own, order::acq_rel, site, "wait for poll"), wake_up, 0, timers ? "" : awaits);
        n = look_at_all(files, count, order::acquire, coming::waits_for_others_too, timers, site);
    }
    for (unsigned i = 0; i < count; ++i)
        if (files[i].file) unwatch(*files[i].file, own.instance, i, site);
    hook::change(on(own, order::acq_rel, site, "end poll"), begin, 0);
    return n;
}

/// @param limit nanoseconds, negative for none
int wait(polled* files, unsigned count, std::int64_t limit, std::uintptr_t site) {
    const auto real = [](const polled& f) { return f.file != nullptr; };
    polled* const first = std::find_if(files, files + count, real);
    const auto there = std::count_if(files, files + count, real);
    if (limit != 0 && is_interrupted(*first->file, false, site)) return fails(EINTR);
    if (limit == 0) return look_once(files, count, site);
    if (limit > 0 && hook::engine().times_out(first->file->word, site)) {
        hook::pass_time(limit);
        return look_once(files, count, site);
    }
    const char* const awaits = limit > 0 ? "" : never_ready;
    return there == 1 ? wait_for_one(*first, awaits, site) : wait_for_any(files, count, awaits, site);
}

/// Which of `count` files are modelled. @return 0 when none is
unsigned find_all(polled* files, const pollfd* from, unsigned count, std::uintptr_t site) {
    unsigned found = 0, other = 0;
    for (unsigned i = 0; i < count; ++i) {
        files[i] = {find(from[i].fd), static_cast<unsigned>(from[i].events) & (POLLIN | POLLOUT), 0};
        if (files[i].file && files[i].file->items) hook::unsupported("poll() of an epoll instance", site);
        found += files[i].file != nullptr;
        other += !files[i].file && from[i].fd >= 0;
    }
    if (found != 0 && other != 0)
        hook::unsupported("poll() of an eventfd, a pipe, a timerfd or a signalfd together with other files",
                          site);
    return found;
}

} // namespace

/// @return -2 when none of the files is modelled
int poll_files(pollfd* files, nfds_t count, std::int64_t limit, std::uintptr_t site) {
    constexpr int not_ours = -2;
    if (!hook::running() || count == 0) return not_ours;
    polled all[most_watched];
    if (count > most_watched) {
        for (nfds_t i = 0; i < count; ++i)
            if (find(files[i].fd)) hook::unsupported("poll() of more than 16 files", site);
        return not_ours;
    }
    const auto n = static_cast<unsigned>(count);
    if (find_all(all, files, n, site) == 0) return not_ours;
    const int result = wait(all, n, limit, site);
    if (result < 0) return result;
    for (unsigned i = 0; i < n; ++i) files[i].revents = static_cast<short>(all[i].is);
    return result;
}

} // namespace ringproof::verify::descriptors

namespace rv = ringproof::verify;
namespace descriptors = ringproof::verify::descriptors;
using namespace rv::hook;

namespace {
constexpr std::int64_t micro = 1'000, milli = 1'000 * micro, second = 1'000 * milli;
std::int64_t nanoseconds(const timespec* t) { return t ? t->tv_sec * second + t->tv_nsec : -1; }

/// poll() writes to the program's memory, which is what others could race with.
int poll_own(pollfd* files, nfds_t count, std::int64_t limit, std::uintptr_t site) {
    const int n = descriptors::poll_files(files, count, limit, site);
    if (n >= 0) engine().accesses().plain(address_of(files), count * sizeof *files, true, site);
    return n;
}

struct sets {
    fd_set *in, *out, *failed;
};
bool asks_for(const sets& of, int file) {
    return (of.in && FD_ISSET(file, of.in)) || (of.out && FD_ISSET(file, of.out)) ||
           (of.failed && FD_ISSET(file, of.failed));
}
bool any_modelled(const sets& of, int count) {
    for (int i = 0; i < count; ++i)
        if (asks_for(of, i) && descriptors::find(i)) return true;
    return false;
}
/// The files of select() in the words of poll(). @return how many there are, 0 when none is modelled
nfds_t files_of(const sets& of, int count, pollfd* files, std::uintptr_t site) {
    count = std::min(count, FD_SETSIZE);
    nfds_t n = 0;
    if (!any_modelled(of, count)) return n;
    for (int i = 0; i < count; ++i) {
        if (!asks_for(of, i)) continue;
        if (n == descriptors::most_watched) unsupported("select() of more than 16 files", site);
        const int asked =
            (of.in && FD_ISSET(i, of.in) ? POLLIN : 0) | (of.out && FD_ISSET(i, of.out) ? POLLOUT : 0);
        files[n++] = {i, static_cast<short>(asked), 0};
    }
    return n;
}
/// Says in the sets what poll() found. @return how many bits are set
int say_what_is_ready(const sets& of, const pollfd* files, nfds_t n, std::uintptr_t site) {
    for (fd_set* const s : {of.in, of.out, of.failed}) {
        if (!s) continue;
        engine().accesses().plain(address_of(s), sizeof *s, true, site);
        FD_ZERO(s);
    }
    int ready = 0;
    for (const pollfd* f = files; f != files + n; ++f) {
        const auto set = [&](fd_set* s, bool is) {
            if (s && is) FD_SET(f->fd, s), ++ready;
        };
        set(of.in, (f->events & POLLIN) && (f->revents & (POLLIN | POLLHUP | POLLERR)));
        set(of.out, (f->events & POLLOUT) && (f->revents & (POLLOUT | POLLERR)));
    }
    return ready;
}
int select_files(int count, const sets& of, std::int64_t limit, std::uintptr_t site) {
    constexpr int not_ours = -2;
    pollfd files[descriptors::most_watched];
    const nfds_t n = running() ? files_of(of, count, files, site) : 0;
    if (n == 0 && limit < 0 && running()) // it would stop the checker
        unsupported("select() without a time limit and without a file that is modelled", site);
    if (n == 0) return not_ours;
    const int result = descriptors::poll_files(files, n, limit, site);
    return result < 0 ? result : say_what_is_ready(of, files, n, site);
}
} // namespace

RINGPROOF_HOOK int poll(pollfd* files, nfds_t count, int limit) {
    RINGPROOF_STANDING(files, count, limit);
    const int n = poll_own(files, count, limit * milli, RINGPROOF_SITE);
    return n == -2 ? RINGPROOF_NEXT(poll)(files, count, limit) : n;
}
/// What they are with _FORTIFY_SOURCE.
RINGPROOF_HOOK int __poll_chk(pollfd* files, nfds_t count, int limit, std::size_t room) {
    RINGPROOF_STANDING(files, count, limit, room);
    const int n = poll_own(files, count, limit * milli, RINGPROOF_SITE);
    return n == -2 ? RINGPROOF_NEXT(__poll_chk)(files, count, limit, room) : n;
}
RINGPROOF_HOOK int __ppoll_chk(pollfd* files, nfds_t count, const timespec* limit, const sigset_t* mask,
                               std::size_t room) {
    RINGPROOF_STANDING(files, count, limit, mask, room);
    const int n = poll_own(files, count, nanoseconds(limit), RINGPROOF_SITE);
    return n == -2 ? RINGPROOF_NEXT(__ppoll_chk)(files, count, limit, mask, room) : n;
}
RINGPROOF_HOOK int ppoll(pollfd* files, nfds_t count, const timespec* limit, const sigset_t* mask) {
    RINGPROOF_STANDING(files, count, limit, mask);
    const int n = poll_own(files, count, nanoseconds(limit), RINGPROOF_SITE);
    return n == -2 ? RINGPROOF_NEXT(ppoll)(files, count, limit, mask) : n;
}
RINGPROOF_HOOK int select(int count, fd_set* in, fd_set* out, fd_set* failed, timeval* limit) {
    RINGPROOF_STANDING(count, in, out, failed, limit);
    const std::int64_t time = limit ? limit->tv_sec * second + limit->tv_usec * micro : -1;
    const int n = select_files(count, {in, out, failed}, time, RINGPROOF_SITE);
    return n == -2 ? RINGPROOF_NEXT(select)(count, in, out, failed, limit) : n;
}
RINGPROOF_HOOK int pselect(int count, fd_set* in, fd_set* out, fd_set* failed, const timespec* limit,
                           const sigset_t* mask) {
    RINGPROOF_STANDING(count, in, out, failed, limit, mask);
    const int n = select_files(count, {in, out, failed}, nanoseconds(limit), RINGPROOF_SITE);
    return n == -2 ? RINGPROOF_NEXT(pselect)(count, in, out, failed, limit, mask) : n;
}
