// SPDX-License-Identifier: Apache-2.0
// eventfd(2). The word's lower half is the counter. A read or a write that fails changes nothing, and yet takes the
// kernel's lock of the counter: it is a read-modify-write that writes what it read.

#include "descriptors.hpp"

#include "../program/callers.hpp"

#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/eventfd.h>

namespace ringproof::verify::descriptors {
namespace {

constexpr std::uint64_t most = ~std::uint64_t{0} - 1;
const char* const never_written =
    "lost wake-up: a thread waits for ever in read() of an eventfd to which no thread will write";
const char* const never_read =
    "lost wake-up: a thread waits for ever in write() to an eventfd that no thread will read";

std::uint64_t counter(value_t word) { return static_cast<std::uint64_t>(word); }

going subtract(value_t seen, value_t, value_t& next) {
    next = seen;
    if (!(seen & closed(0)) && counter(seen) != 0) next -= seen & semaphore ? 1 : counter(seen);
    return going::change;
}
going subtract_or_wait(value_t seen, value_t, value_t& next) {
    return !(seen & closed(0)) && counter(seen) == 0 ? going::wait : subtract(seen, 0, next);
}
bool has_room(value_t word, value_t amount) { return most - counter(word) >= counter(amount); }
going add(value_t seen, value_t amount, value_t& next) {
    next = seen;
    if (!(seen & closed(0)) && has_room(seen, amount)) next += amount;
    return going::change;
}
going add_or_wait(value_t seen, value_t amount, value_t& next) {
    return !(seen & closed(0)) && !has_room(seen, amount) ? going::wait : add(seen, amount, next);
}
going begin(value_t, value_t state, value_t& next) {
    next = state;
    return going::change;
}

} // namespace

ssize_t read_event(const end& e, void* to, std::size_t size, std::uintptr_t site) {
    std::uint64_t value = 0;
    if (size < sizeof value) return fails(EINVAL);
    if (is_interrupted(e, false, site)) return fails(EINTR);
    const value_t seen = ask(e, {subtract_or_wait, subtract, "read eventfd", never_written}, 0, site);
    must_be_open(e, seen, site);
    if (counter(seen) == 0) return fails(EAGAIN);
    tell(seen, 0, POLLOUT, site);
    value = seen & semaphore ? 1 : counter(seen);
    hook::engine().accesses().plain(hook::address_of(to), sizeof value, true, site);
    std::memcpy(to, &value, sizeof value);
    return sizeof value;
}

ssize_t add_to_event(const end& e, std::uint64_t value, std::uintptr_t site) {
    if (value > most) return fails(EINVAL);
    if (is_interrupted(e, false, site)) return fails(EINTR);
    const value_t seen = ask(e, {add_or_wait, add, "write eventfd", never_read}, value, site);
    must_be_open(e, seen, site);
    if (!has_room(seen, value)) return fails(EAGAIN);
    tell(seen, 0, POLLIN, site);
    return sizeof value;
}

ssize_t write_event(const end& e, const void* from, std::size_t size, std::uintptr_t site) {
    std::uint64_t value = 0;
    if (size < sizeof value) return fails(EINVAL);
    hook::engine().accesses().plain(hook::address_of(from), sizeof value, false, site);
    std::memcpy(&value, from, sizeof value);
    return add_to_event(e, value, site);
}

namespace {
int make_event(unsigned value, int flags, std::uintptr_t site) {
    if (flags & ~(EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC)) return fails(EINVAL);
    const std::uintptr_t word = new_word();
    const made m = make(kind::event, word, site);
    m.at->non_blocking = (flags & EFD_NONBLOCK) != 0;
    hook::change(on(*m.at, order::relaxed, site, "make eventfd"), begin,
                 value_t{value} | (flags & EFD_SEMAPHORE ? semaphore : value_t{0}));
    return m.number;
}
} // namespace

} // namespace ringproof::verify::descriptors

namespace rv = ringproof::verify;
using namespace rv::hook;

RINGPROOF_HOOK int eventfd(unsigned value, int flags) noexcept {
    if (!rv::callers::for_program(RINGPROOF_SITE)) return RINGPROOF_NEXT(eventfd)(value, flags);
    return rv::descriptors::make_event(value, flags, RINGPROOF_SITE);
}
RINGPROOF_HOOK int eventfd_read(int file, eventfd_t* value) {
    RINGPROOF_STANDING(file, value);
    const rv::descriptors::end* const e = rv::descriptors::find(file);
    if (!e) return RINGPROOF_NEXT(eventfd_read)(file, value);
    return rv::descriptors::read(*e, value, sizeof *value, RINGPROOF_SITE) < 0 ? -1 : 0;
}
RINGPROOF_HOOK int eventfd_write(int file, eventfd_t value) {
    RINGPROOF_STANDING(file, value);
    const rv::descriptors::end* const e = rv::descriptors::find(file);
    if (!e) return RINGPROOF_NEXT(eventfd_write)(file, value);
    if (e->what != rv::descriptors::kind::event) return rv::descriptors::fails(EINVAL);
    return rv::descriptors::add_to_event(*e, value, RINGPROOF_SITE) < 0 ? -1 : 0;
}
