// SPDX-License-Identifier: Apache-2.0
// Memory that the program maps: what it may do there, and which accesses race with a change of that.
//
// A call that takes rights away (munmap, mprotect) needs every access that uses them to be ordered before it: whoever
// came earlier is looked for when it is made, whoever comes later finds the rights gone. A call that gives rights needs
// every access that uses them to be ordered behind it, as memory from malloc() does: that is looked at with each access.

#include "explorer.hpp"

#include <algorithm>
#include <cstring>

namespace ringproof::verify {
namespace {

[[noreturn]] void no_room_for_layers(explorer& e, std::uintptr_t site) {
    e.fail_here(failure_kind::limit,
                "the program changes its mappings too often for the checker, or in too many places "
                "(vm.max_map_count bounds them)",
                site, 0);
}

failure failure_at(const thread_state& t, failure_kind kind, std::string message, std::uintptr_t address,
                   std::uintptr_t site) {
    failure f;
    f.kind = kind;
    f.message = std::move(message);
    f.thread = t.id;
    f.site = site;
    f.address = address;
    return f;
}

std::string access_text(const memory_range& part, bool write) {
    return std::string(write ? "write" : "read") + " of " + std::to_string(part.size()) + " bytes";
}

void name_other(failure& f, std::uint16_t thread, std::uint32_t index, std::uintptr_t site) {
    if (thread == mapped::nobody) return;
    f.races = true;
    f.other_thread = thread;
    f.other_index = index;
    f.other_site = site;
}

} // namespace

mapped::layer explorer::layer_of(memory_range range, std::uint8_t rights, std::uintptr_t site) {
    const thread_state& t = self();
    mapped::layer l;
    l.begin = range.begin;
    l.end = range.end;
    l.site = site;
    l.thread = t.id;
    l.index = std::max(t.next_index, 1u) - 1;
    l.rights = l.given = rights;
    return l;
}

void explorer::put_layer(const mapped::layer& what, bool in_place) {
    if (!mapped::put(what, in_place)) no_room_for_layers(*this, what.site);
}

std::uintptr_t explorer::map(const mapped::layer& what, std::size_t size) {
    const inside engine;
    mapped::layer l = what;
    l.begin = mapped::reserve(self().id, size);
    if (l.begin == 0) return 0;
    l.end = l.begin + mapped::whole_pages(size);
    put_layer(l, false);
    if (tracing_) note_allocation(l.begin, size);
    return l.begin;
}

/// An access of what is about to change that is not ordered before. @param reads_too whether it conflicts with reads
void explorer::check_all_ordered(const memory_range& range, bool reads_too, const char* call,
                                 std::uintptr_t site) {
    if (trying_) return;
    const thread_state& t = self();
    const auto refuse = [&](std::uintptr_t at, std::uint16_t thread, std::uint32_t index,
                            std::uintptr_t where) {
        failure f = failure_at(t, failure_kind::data_race,
                               std::string("data race: ") + call + ", not ordered with an access by thread " +
                                   std::to_string(thread),
                               at, site);
        name_other(f, thread, index, where);
        fail_with(std::move(f));
    };
    mapped::each_touched(range.begin, range.end, [&](std::uintptr_t page) {
        if (shadow_.is_atomic(page, mapped::page_size))
            graph_.each_at(page, mapped::page_size, [&](location_id l) {
                if (const event* e = unordered_access(t, l, reads_too))
                    refuse(page, e->thread, e->index, e->site);
            });
        if (const plain_access* a = shadow_.atomic(page, mapped::page_size, reads_too, t.id, t.clocks.hb()))
            refuse(page, a->thread, a->index, a->site);
    });
}

void explorer::unmap(mapped::layer what) {
    const inside engine;
    const mapped::layer* const last = mapped::find(what.begin);
    if (last && last->unmapped && last->begin == what.begin && last->end == what.end) {
        failure f =
            failure_at(self(), failure_kind::double_free,
                       "double munmap: this memory is unmapped already, and its addresses may be another's",
                       what.begin, what.site);
        name_other(f, last->thread, last->index, last->site);
        fail_with(std::move(f));
    }
    check_all_ordered({what.begin, what.end}, true, "munmap", what.site);
    what.rights = what.given = 0;
    what.unmapped = true;
    put_layer(what, true);
    note_effect();
}

void explorer::protect(const mapped::layer& what) {
    const inside engine;
    mapped::each_part(
        what.begin, what.end, [&](const mapped::layer* top, std::uintptr_t begin, std::uintptr_t end) {
            if (!top || top->unmapped || top->beyond || top->rights == what.rights) return true;
            const auto taken = static_cast<std::uint8_t>(top->rights & ~what.rights);
            const auto given = static_cast<std::uint8_t>(what.rights & ~top->rights);
            if (taken != 0)
                check_all_ordered({begin, end}, (taken & mapped::may_read) != 0, "mprotect", what.site);
            // Who gave the rights that stay is told by the layer below, or by this one where it takes that one's place.
            const bool whole = top->begin == begin && top->end == end;
            mapped::layer l = given == 0 && whole ? *top : what;
            if (given != 0 || !whole) l.given = given;
            l.begin = begin;
            l.end = end;
            l.object = top->object;
            l.rights = what.rights;
            put_layer(l, given == 0 || top->rights == 0);
            return true;
        });
    note_effect();
}

/// What was there is gone, and every access of it too: memory begins anew, with zeros.
void explorer::map_again(const mapped::layer& what) {
    {
        const inside engine;
        check_all_ordered({what.begin, what.end}, true, "a new mapping in the place of an old one",
                          what.site);
        put_layer(what, true);
    }
    thread_state& t = self();
    mapped::each_touched(what.begin, what.end, [&](std::uintptr_t page) {
        if (!shadow_.is_atomic(page, mapped::page_size)) return;
        for (std::uintptr_t at = page; at < page + mapped::page_size; at += sizeof(value_t)) {
            if (!shadow_.is_atomic(at, sizeof at)) continue;
            check_plain_against_atomic(t, at, sizeof at, true, what.site);
            std::memset(reinterpret_cast<void*>(at), 0, sizeof at);
        }
    });
    mapped::clear(what.begin, what.end);
    note_effect();
}

void explorer::check_mapped(const thread_state& t, std::uintptr_t address, std::size_t size, bool write,
                            std::uintptr_t site) {
    mapped::each_part(address, address + size,
                      [&](const mapped::layer* top, std::uintptr_t begin, std::uintptr_t end) {
                          check_layer(t, top, {begin, end}, write, site);
                          return true;
                      });
    if (!mapped::touch(address, size)) no_room_for_layers(*this, site);
}

void explorer::check_layer(const thread_state& t, const mapped::layer* top, const memory_range& part,
                           bool write, std::uintptr_t site) {
    const std::uint8_t needed = write ? mapped::may_write : mapped::may_read;
    if (!top || top->unmapped || top->beyond || !(top->rights & needed))
        refuse_access(t, top, part, write, site);
    if (trying_) return;
    const mapped::layer* giver = top;
    while (giver && !(giver->given & needed)) giver = mapped::find(part.begin, giver);
    if (!giver || giver->thread == mapped::nobody || giver->thread == t.id ||
        t.clocks.hb()[giver->thread] > static_cast<int>(giver->index))
        return;
    failure f = failure_at(t, failure_kind::data_race,
                           "data race: " + access_text(part, write) + " of memory that thread " +
                               std::to_string(giver->thread) + " mapped, which is not ordered before",
                           part.begin, site);
    name_other(f, giver->thread, giver->index, giver->site);
    fail_with(std::move(f));
}

void explorer::refuse_access(const thread_state& t, const mapped::layer* top, const memory_range& part,
                             bool write, std::uintptr_t site) {
    const std::string access = access_text(part, write);
    const auto wild = [&](const char* why) {
        fail_here(failure_kind::wild_access, "wild access: " + access + why, site, part.begin);
    };
    if (!top) wild(" where nothing is mapped");
    if (top->beyond) wild(" behind the end of the mapped file: is it to be made longer by ftruncate()?");
    if (!top->unmapped && top->rights == 0)
        wild(" of memory that is protected against any access (PROT_NONE)");
    if (!top->unmapped)
        wild(write ? " to memory that may only be read" : " of memory that may only be written");
    failure f =
        failure_at(t, failure_kind::use_after_free,
                   "use after munmap: " + access + " of memory that " +
                       (top->thread == t.id ? "the same thread" : "thread " + std::to_string(top->thread)) +
                       " has unmapped",
                   part.begin, site);
    name_other(f, top->thread, top->index, top->site);
    fail_with(std::move(f));
}

} // namespace ringproof::verify
