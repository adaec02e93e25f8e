// SPDX-License-Identifier: Apache-2.0
// The program's break. There is one for the process, so that calls which nothing orders race, as they do in libc's own
// list of who has which part: sbrk() is a write of the break, sbrk(0) a read.

#include "../program/callers.hpp"
#include "../program/early_heap.hpp"
#include "hook.hpp"
#include "mmap.hpp"

#include <cerrno>
#include <unistd.h>

namespace rv = ringproof::verify;
namespace mapped = ringproof::verify::mapped;
using namespace rv::hook;
using rv::callers::is_programs;

namespace {

/// In the first page of the break's slot.
struct the_break {
    std::uintptr_t now;
    std::uintptr_t end; ///< the furthest that it has been, whole pages
};

the_break& get_break(std::uintptr_t site) {
    const std::uintptr_t page = mapped::first_in(mapped::break_slot);
    auto& b = *reinterpret_cast<the_break*>(page);
    if (mapped::find(page)) return b;
    mapped::layer l; // nobody's, so that it may be looked at as what the program maps
    l.begin = mapped::reserve(mapped::break_slot, mapped::page_size);
    l.end = l.begin + mapped::page_size;
    l.site = site;
    l.rights = mapped::may_read | mapped::may_write;
    mapped::put(l, false);
    mapped::touch(page, sizeof b);
    b.now = b.end = page + mapped::page_size;
    return b;
}

void access(const the_break& b, bool write, std::uintptr_t site) {
    if (running()) engine().accesses().plain(address_of(&b.now), sizeof b.now, write, site);
}

/// @return whether there is room
bool move_break(the_break& b, std::uintptr_t to, std::uintptr_t site) {
    access(b, true, site);
    if (to < mapped::first_in(mapped::break_slot) + mapped::page_size) return false;
    const std::uintptr_t from = mapped::whole_pages(b.now), until = mapped::whole_pages(to);
    if (until > b.end) {
        if (!mapped::extend(b.end, until)) return false;
        b.end = until;
    }
    if (until > from) rv::hook_map_again({from, until}, site);
    if (until < from) rv::hook_unmap({until, from}, site);
    b.now = to;
    return true;
}

} // namespace

RINGPROOF_HOOK void* sbrk(std::intptr_t by) noexcept {
    const std::uintptr_t site = RINGPROOF_SITE;
    if (!is_programs(site)) return RINGPROOF_NEXT(sbrk)(by);
    the_break& b = get_break(site);
    if (by == 0) access(b, false, site);
    const std::uintptr_t before = b.now;
    if (by == 0 || move_break(b, before + static_cast<std::uintptr_t>(by), site))
        return reinterpret_cast<void*>(before);
    errno = ENOMEM;
    return reinterpret_cast<void*>(-1);
}
RINGPROOF_HOOK int brk(void* to) noexcept {
    const std::uintptr_t site = RINGPROOF_SITE;
    if (!is_programs(site)) return RINGPROOF_NEXT(brk)(to);
    if (move_break(get_break(site), address_of(to), site)) return 0;
    errno = ENOMEM;
    return -1;
}
