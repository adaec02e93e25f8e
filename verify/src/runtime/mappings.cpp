// SPDX-License-Identifier: Apache-2.0
// Memory that the program maps: what it may do there, and which accesses race with a change of that.
//
// A call that takes rights away (munmap, mprotect) needs every access that uses them to be ordered before it: whoever
// came earlier is looked for when it is made, whoever comes later finds the rights gone. A call that gives rights needs
// every access that uses them to be ordered behind it, as memory from malloc() does: that is looked at with each access.

#include "mappings.hpp"
#include "map_errors.hpp"

#include <algorithm>
#include <cstring>

namespace ringproof::verify {

mapped::layer mappings::layer_of(memory_range range, std::uint8_t rights, std::uintptr_t site) {
    const thread_state& t = program_.self();
    mapped::layer l;
    l.begin = range.begin;
    l.end = range.end;
    l.site = site;
    l.thread = t.id;
    l.index = std::max(t.next_index, 1u) - 1;
    l.rights = l.given = rights;
    return l;
}

void mappings::put_layer(const mapped::layer& what, bool in_place) {
    if (!mapped::put(what, in_place)) no_room_for_layers(runtime_, what.site);
}

std::uintptr_t mappings::map(const mapped::layer& what, std::size_t size) {
    const program::engine_runs engine;
    mapped::layer l = what;
    l.begin = mapped::reserve(program_.self().id, size);
    if (l.begin == 0) return 0;
    l.end = l.begin + mapped::whole_pages(size);
    put_layer(l, false);
    if (facts_.tracing && l.home == 0) recorder_.note_allocation(l.begin, size);
    return l.begin;
}

std::uintptr_t mappings::map_home(std::size_t size, std::uintptr_t site) {
    const program::engine_runs engine;
    const std::uintptr_t home = mapped::make_home(program_.self().id, size, site);
    if (home == 0) no_room_for_layers(runtime_, site);
    if (facts_.tracing) recorder_.note_allocation(home, size);
    return home;
}

void mappings::show(const mapped::layer& what) {
    const program::engine_runs engine;
    check_all_ordered({what.begin, what.end}, true, "a new mapping in the place of an old one", what.site);
    put_layer(what, true);
    runtime_.accesses().note_effect();
}

/// An access of what is about to change that is not ordered before. @param reads_too whether it conflicts with reads
void mappings::check_all_ordered(const memory_range& range, bool reads_too, const char* call,
                                 std::uintptr_t site) {
    if (facts_.trying) return;
    const thread_state& t = program_.self();
    const auto refuse = [&](std::uintptr_t at, std::uint16_t thread, std::uint32_t index,
                            std::uintptr_t where) {
        failure f = failure_at(t, failure_kind::data_race,
                               std::string("data race: ") + call + ", not ordered with an access by thread " +
                                   std::to_string(thread),
                               at, site);
        name_other(f, thread, index, where);
        runtime_.fail_with(std::move(f));
    };
    mapped::each_touched(range.begin, range.end, [&](std::uintptr_t page) {
        // By this address: who accesses the same memory by another one is in nobody's way.
        const bool is_view = mapped::views_exist && mapped::home_of(page) != page;
        if (races_.shadow().is_atomic(page, mapped::page_size))
            graph_.each_at(page, mapped::page_size, [&](location_id l) {
                if (const event* e = races_.unordered_access(t, l, reads_too))
                    refuse(page, e->thread, e->index, e->site);
            });
        if (const plain_access* a =
                races_.shadow().atomic(page, mapped::page_size, reads_too || is_view, t.id, t.clocks.hb())) {
            if (is_view && !reads_too) // whether that is a read or a write is not known
                runtime_.fail_here(failure_kind::unsupported,
                                   "a change of the protection of a mapped file while another thread uses "
                                   "the mapping is not supported",
                                   site, page);
            refuse(page, a->thread, a->index, a->site);
        }
    });
}

void mappings::unmap(mapped::layer what) {
    const program::engine_runs engine;
    const mapped::layer* const last = mapped::find(what.begin);
    if (last && last->unmapped && last->begin == what.begin && last->end == what.end) {
        failure f =
            failure_at(program_.self(), failure_kind::double_free,
                       "double munmap: this memory is unmapped already, and its addresses may be another's",
                       what.begin, what.site);
        name_other(f, last->thread, last->index, last->site);
        runtime_.fail_with(std::move(f));
    }
    check_all_ordered({what.begin, what.end}, true, "munmap", what.site);
    what.rights = what.given = 0;
    what.unmapped = true;
    put_layer(what, true);
    runtime_.accesses().note_effect();
}

void mappings::protect(const mapped::layer& what) {
    const program::engine_runs engine;
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
            l.is_shared = top->is_shared;
            l.home = top->home == 0 ? 0 : top->home + (begin - top->begin);
            l.rights = what.rights;
            put_layer(l, given == 0 || top->rights == 0);
            return true;
        });
    runtime_.accesses().note_effect();
}

/// What was there is gone, and every access of it too: memory begins anew, with zeros.
void mappings::map_again(const mapped::layer& what) {
    {
        const program::engine_runs engine;
        check_all_ordered({what.begin, what.end}, true, "a new mapping in the place of an old one",
                          what.site);
        put_layer(what, true);
    }
    thread_state& t = program_.self();
    mapped::each_touched(what.begin, what.end, [&](std::uintptr_t page) {
        if (!races_.shadow().is_atomic(page, mapped::page_size)) return;
        for (std::uintptr_t at = page; at < page + mapped::page_size; at += sizeof(value_t)) {
            if (!races_.shadow().is_atomic(at, sizeof at)) continue;
            runtime_.accesses().check_plain_against_atomic(t, at, sizeof at, true, what.site);
            std::memset(reinterpret_cast<void*>(at), 0, sizeof at);
        }
    });
    mapped::clear(what.begin, what.end);
    runtime_.accesses().note_effect();
}

} // namespace ringproof::verify
