// SPDX-License-Identifier: Apache-2.0
// pipe(2), pipe(7). The word's lower half says how many bytes the pipe holds and where they begin in its ring; the
// bytes themselves are memory of the program. A read takes its bytes off the word, copies them, and says that it is done;
// a write waits until no other one, and no read, copies, copies its bytes behind those that the pipe holds, and adds them to
// the word. A write of up to PIPE_BUF bytes is whole;
// of a longer one as many bytes are written as there is room for, and the rest behind what others may write.

#include "descriptors.hpp"

#include "../program/callers.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <unistd.h>

namespace ringproof::verify::descriptors {
namespace {

static_assert(pipe_capacity == PIPE_BUF);
constexpr unsigned place_shift = 16;
constexpr value_t writing = bit(32), one_reader = bit(33), readers = value_t{0xff} << 33;
const char* const never_written =
    "lost wake-up: a thread waits for ever in read() of a pipe to which no thread will write";
const char* const never_read =
    "lost wake-up: a thread waits for ever in write() to a full pipe that no thread will read";

unsigned held(value_t word) { return static_cast<unsigned>(word & 0xffffu); }
unsigned place(value_t word) { return static_cast<unsigned>(word >> place_shift & 0xffffu); }
unsigned room(value_t word) { return pipe_capacity - held(word); }

going begin_read(value_t seen, value_t size, value_t& next) {
    next = seen;
    if (held(seen) == 0 || seen & closed(0)) return going::change;
    const unsigned n = size < held(seen) ? static_cast<unsigned>(size) : held(seen);
    const unsigned at = (place(seen) + n) % pipe_capacity;
    next = (seen & ~(value_t{0xffff} << place_shift)) - n + (value_t{at} << place_shift) + one_reader;
    return going::change;
}
going begin_read_or_wait(value_t seen, value_t size, value_t& next) {
    const bool ends = (seen & (closed(0) | closed(1))) != 0;
    return held(seen) == 0 && !ends ? going::wait : begin_read(seen, size, next);
}
going end_read(value_t seen, value_t, value_t& next) {
    next = seen - one_reader;
    return going::change;
}

/// How much room a write of that size waits for.
unsigned needed(value_t size) { return size <= PIPE_BUF ? static_cast<unsigned>(size) : 1; }

/// Waits for others that copy, but not for room.
going begin_write(value_t seen, value_t size, value_t& next) {
    next = seen;
    if (seen & (closed(0) | closed(1))) return going::change;
    if (seen & (writing | readers)) return going::wait;
    if (room(seen) >= needed(size)) next |= writing;
    return going::change;
}
going begin_write_or_wait(value_t seen, value_t size, value_t& next) {
    const going on = begin_write(seen, size, next);
    const bool full = !(seen & (closed(0) | closed(1))) && next == seen;
    return on == going::change && full ? going::wait : on;
}
going end_write(value_t seen, value_t size, value_t& next) {
    next = (seen & ~writing) + size;
    return going::change;
}

/// Calls f(offset, where, size) for the one or two parts of the ring.
template <class Function>
void each_part(const end& e, unsigned from, unsigned size, Function f) {
    const unsigned first = std::min(size, pipe_capacity - from);
    f(0u, e.bytes + from, first);
    if (first < size) f(first, e.bytes, size - first);
}

/// As POSIX says: the signal, or the error where the program ignores it.
ssize_t nobody_reads(std::uintptr_t site) {
    struct sigaction now {};
    sigaction(SIGPIPE, nullptr, &now);
    if (now.sa_handler == SIG_DFL)
        hook::engine().fail_here(failure_kind::abort,
                                 "SIGPIPE ends the program: it writes to a pipe whose read end is closed",
                                 site, 0);
    return fails(EPIPE);
}

} // namespace

ssize_t read_pipe(const end& e, void* to, std::size_t size, std::uintptr_t site) {
    if (e.what != kind::reader) return fails(EBADF);
    if (size == 0) return 0;
    if (is_interrupted(e, false, site)) return fails(EINTR);
    const value_t seen = ask(e, {begin_read_or_wait, begin_read, "read pipe", never_written}, size, site);
    must_be_open(e, seen, site);
    if (held(seen) == 0) return seen & closed(1) ? 0 : fails(EAGAIN);
    const auto n = static_cast<unsigned>(std::min<std::size_t>(size, held(seen)));
    hook::engine().accesses().plain(hook::address_of(to), n, true, site);
    each_part(e, place(seen), n, [&](unsigned offset, char* from, unsigned part) {
        std::memcpy(static_cast<char*>(to) + offset, from, part);
    });
    hook::engine().accesses().note_addresses(hook::address_of(to), n);
    hook::engine().accesses().note_effect();
    hook::change(on(e, order::acq_rel, site, "pipe was read"), end_read);
    if (n == held(seen)) tell(seen, 1, POLLOUT, site); // as POLLOUT says: there is room for PIPE_BUF bytes
    return n;
}

ssize_t write_pipe(const end& e, const void* from, std::size_t size, std::uintptr_t site) {
    if (e.what != kind::writer) return fails(EBADF);
    if (is_interrupted(e, false, site)) return fails(EINTR);
    hook::engine().accesses().plain(hook::address_of(from), size, false, site);
    hook::engine().accesses().plain(hook::address_of(&e.non_blocking), sizeof e.non_blocking, false, site);
    std::size_t done = 0;
    while (done < size) {
        const value_t seen =
            hook::take(on(e, order::acq_rel, site, "write pipe"),
                       e.non_blocking ? begin_write : begin_write_or_wait, size - done, never_read);
        must_be_open(e, seen, site);
        if (seen & closed(0)) return done ? static_cast<ssize_t>(done) : nobody_reads(site);
        // A part of a long write was written: the rest is no longer whole, but waits for any room.
        if (room(seen) < needed(size - done)) return done ? static_cast<ssize_t>(done) : fails(EAGAIN);
        const auto n = static_cast<unsigned>(std::min<std::size_t>(size - done, room(seen)));
        each_part(e, (place(seen) + held(seen)) % pipe_capacity, n,
                  [&](unsigned offset, char* to, unsigned part) {
                      std::memcpy(to, static_cast<const char*>(from) + done + offset, part);
                  });
        hook::engine().accesses().note_effect();
        tell(hook::change(on(e, order::acq_rel, site, "pipe was written"), end_write, n), 0, POLLIN, site);
        done += n;
    }
    return static_cast<ssize_t>(done);
}

namespace {
going begin(value_t, value_t state, value_t& next) {
    next = state;
    return going::change;
}
int make_pipe(int* numbers, int flags, std::uintptr_t site) {
    if (flags & O_DIRECT) hook::unsupported("a pipe of packets (O_DIRECT)", site);
    if (flags & ~(O_NONBLOCK | O_CLOEXEC)) return fails(EINVAL);
    const std::uintptr_t word = new_word();
    auto* const bytes = static_cast<char*>(hook::note_room(pipe_capacity));
    const made ends[] = {make(kind::reader, word, site), make(kind::writer, word, site)};
    for (const made& m : ends) {
        m.at->bytes = bytes;
        m.at->non_blocking = (flags & O_NONBLOCK) != 0;
    }
    hook::change(on(*ends[0].at, order::relaxed, site, "make pipe"), begin, 0);
    for (int i = 0; i < 2; ++i) hook::write_plain(numbers + i, ends[i].number, site);
    return 0;
}
} // namespace

} // namespace ringproof::verify::descriptors

namespace rv = ringproof::verify;
using namespace rv::hook;

RINGPROOF_HOOK int pipe(int* numbers) noexcept {
    if (!rv::callers::for_program(RINGPROOF_SITE)) return RINGPROOF_NEXT(pipe)(numbers);
    return rv::descriptors::make_pipe(numbers, 0, RINGPROOF_SITE);
}
RINGPROOF_HOOK int pipe2(int* numbers, int flags) noexcept {
    if (!rv::callers::for_program(RINGPROOF_SITE)) return RINGPROOF_NEXT(pipe2)(numbers, flags);
    return rv::descriptors::make_pipe(numbers, flags, RINGPROOF_SITE);
}
