// SPDX-License-Identifier: Apache-2.0
// When a file is ready, and who is told when it becomes so. A change of a file's word finds there who watches it; each
// of them is told by a change of its own word, as the kernel's wait queues call back.

#include "descriptors.hpp"
#include "memory_files.hpp"

#include <cerrno>
#include <cstdarg>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

namespace ringproof::verify::descriptors {
namespace {

going add_watcher(value_t seen, value_t who, value_t& next) {
    next = seen;
    for (unsigned n = 0; n < most_watchers; ++n)
        if (watcher_at(seen, n) == 0) {
            next = seen | who << (first_watcher + n * watcher_bits);
            break;
        }
    return going::change;
}
going remove_watcher(value_t seen, value_t who, value_t& next) {
    next = seen;
    for (unsigned n = 0; n < most_watchers; ++n)
        if (watcher_at(seen, n) == who) next &= ~(who << (first_watcher + n * watcher_bits));
    return going::change;
}

/// `told`: the item, and above it the ways in which its file became ready.
going make_ready(value_t seen, value_t told, value_t& next) {
    const auto item = static_cast<unsigned>(told & 0xff), ways = static_cast<unsigned>(told >> 8);
    const unsigned now = item_of(seen, item);
    next = seen;
    if ((now & enabled) && (ways & asked(now))) next |= at_item(item, ready);
    return going::change;
}
going close_side(value_t seen, value_t side, value_t& next) {
    next = seen | closed(static_cast<unsigned>(side));
    return going::change;
}

} // namespace

void must_be_open(const end& e, value_t word, std::uintptr_t site) {
    if (word & closed(side_of(e)))
        hook::engine().fail_here(
            failure_kind::use_after_free,
            "use of a file descriptor after close(): its number may be another file's by then", site, 0);
}

value_t ask(const end& e, const call& what, value_t operand, std::uintptr_t site) {
    hook::engine().accesses().plain(hook::address_of(&e.non_blocking), sizeof e.non_blocking, false, site);
    const hook::operation there = on(e, order::acq_rel, site, what.word);
    if (!e.non_blocking) return hook::take(there, what.waits, operand, what.awaits);
    request r = hook::request_for(action::modify, there, what.does_not, operand);
    r.frame = hook::self().hook_frame; // a loop that tries again is a waiting loop
    return hook::engine().visible(r);
}

unsigned readiness(const end& e, value_t word) { return readiness(e.what, e.set, word); }
unsigned readiness(kind what, std::uint32_t set, value_t word) {
    const auto state = static_cast<std::uint64_t>(word);
    const auto held = static_cast<unsigned>(state & 0xffffu);
    switch (what) {
    case kind::event:
        return (state != 0 ? POLLIN : 0u) | (state < ~std::uint64_t{0} - 1 ? POLLOUT : 0u);
    case kind::reader:
        return (held != 0 ? POLLIN : 0u) | (word & closed(1) ? POLLHUP : 0u);
    case kind::writer:
        return (held == 0 ? POLLOUT : 0u) | (word & closed(0) ? POLLERR : 0u);
    case kind::timer:
        return word & expirations ? POLLIN : 0u;
    case kind::signals:
        return state & set ? POLLIN : 0u;
    default:
        return 0;
    }
}

unsigned asked(unsigned item) {
    return (item & in ? POLLIN : 0u) | (item & out ? POLLOUT : 0u) | POLLERR | POLLHUP;
}

void tell(value_t word, unsigned side, unsigned ways, std::uintptr_t site, unsigned but) {
    for (unsigned n = 0; n < most_watchers; ++n) {
        const auto who = static_cast<unsigned>(watcher_at(word, n));
        if (who == 0 || who == but || (who >> 12 & 1) != side) continue;
        hook::change(on(instance(who >> 4 & 0xff), order::acq_rel, site, "make ready"), make_ready,
                     (who & 0xf) | value_t{ways} << 8);
    }
}

value_t watch(const end& file, unsigned by, unsigned item, std::uintptr_t site) {
    const value_t before =
        hook::change(on(file, order::acq_rel, site, "watch"), add_watcher, watcher(by, item, side_of(file)));
    must_be_open(file, before, site);
    for (unsigned n = 0; n < most_watchers; ++n)
        if (watcher_at(before, n) == 0) return before;
    hook::engine().fail_here(failure_kind::limit, "more than 4 epoll instances and polls watch one file",
                             site, 0);
}
void unwatch(const end& file, unsigned by, unsigned item, std::uintptr_t site) {
    hook::change(on(file, order::acq_rel, site, "watch no longer"), remove_watcher,
                 watcher(by, item, side_of(file)));
}

void forget(value_t word, unsigned side, std::uintptr_t site) {
    for (unsigned n = 0; n < most_watchers; ++n) {
        const auto who = static_cast<unsigned>(watcher_at(word, n));
        if (who == 0 || (who >> 12 & 1) != side) continue;
        const end& by = instance(who >> 4 & 0xff);
        if (by.what != kind::epoll) continue; // a poll() looks once more
        drop_item(by, who & 0xf, site);
    }
}

bool is_interrupted(const end& e, bool without_handler, std::uintptr_t site) {
    if (!without_handler && hook::engine().facts().limits.spurious != exploring::always) return false;
    return hook::engine().wakes_early(e.word, site);
}

ssize_t read(const end& e, void* to, std::size_t size, std::uintptr_t site) {
    switch (e.what) {
    case kind::event:
        return read_event(e, to, size, site);
    case kind::timer:
        return read_timer(e, to, size, site);
    case kind::signals:
        return read_signals(e, to, size, site);
    case kind::reader:
    case kind::writer:
        return read_pipe(e, to, size, site);
    default:
        return fails(EINVAL);
    }
}
ssize_t write(const end& e, const void* from, std::size_t size, std::uintptr_t site) {
    if (e.items || e.what == kind::timer || e.what == kind::signals) return fails(EINVAL);
    return e.what == kind::event ? write_event(e, from, size, site) : write_pipe(e, from, size, site);
}

int close(const end& e, std::uintptr_t site) {
    if (e.items) return close_epoll(e, site);
    const unsigned side = side_of(e);
    const value_t before = hook::change(on(e, order::acq_rel, site, "close"), close_side, side);
    must_be_open(e, before, site);
    forget(before, side, site);
    if (e.what == kind::reader || e.what == kind::writer)
        tell(before, 1 - side, side == 0 ? POLLERR : POLLHUP, site);
    return 0;
}

int control(const end& e, int command, long argument, std::uintptr_t site) {
    switch (command) {
    case F_GETFD:
    case F_SETFD:
        return command == F_GETFD ? FD_CLOEXEC : 0;
    case F_GETFL: {
        hook::engine().accesses().plain(hook::address_of(&e.non_blocking), sizeof e.non_blocking, false,
                                        site);
        const int access = e.what == kind::reader ? O_RDONLY : e.what == kind::writer ? O_WRONLY : O_RDWR;
        return access | (e.non_blocking ? O_NONBLOCK : 0);
    }
    case F_SETFL:
        hook::write_plain(const_cast<bool*>(&e.non_blocking), (argument & O_NONBLOCK) != 0, site);
        return 0;
    case F_GETPIPE_SZ:
        if (e.what == kind::reader || e.what == kind::writer) return pipe_capacity;
        return fails(EBADF);
    default:
        hook::unsupported("this command of fcntl() for a file that threads sleep on (eventfd, pipe, timerfd, "
                          "signalfd, epoll)",
                          site);
    }
}

} // namespace ringproof::verify::descriptors

namespace rv = ringproof::verify;
using namespace rv::hook;

#define RINGPROOF_CONTROL(name)                                                                              \
    RINGPROOF_HOOK int name(int file, int command, ...) {                                                    \
        va_list rest;                                                                                        \
        va_start(rest, command);                                                                             \
        const long argument = va_arg(rest, long);                                                            \
        va_end(rest);                                                                                        \
        if (const rv::descriptors::end* const e = rv::descriptors::find(file))                               \
            return rv::descriptors::control(*e, command, argument, RINGPROOF_SITE);                          \
        if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)                                                \
            if (const int number = rv::another_number(file, RINGPROOF_SITE); number >= 0) return number;     \
        return RINGPROOF_NEXT(name)(file, command, argument);                                                \
    }
RINGPROOF_CONTROL(fcntl)
RINGPROOF_CONTROL(fcntl64)
