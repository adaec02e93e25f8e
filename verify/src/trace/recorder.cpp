// SPDX-License-Identifier: Apache-2.0
#include "recorder.hpp"

#include "../program/request_kinds.hpp"

#include <algorithm>
#include <cstring>
#include <unwind.h>

namespace ringproof::verify {
namespace {

using what = recorded_event::what;

struct call_stack {
    std::vector<std::uintptr_t> sites;    ///< return addresses, innermost first
    std::vector<std::uintptr_t> pointers; ///< the stack pointer of each one's function
    std::size_t start = 0;
    std::uintptr_t from;
};

/// The running thread's calls, from the return address `site` outwards; from here for 0.
call_stack calls_from(std::uintptr_t site) {
    call_stack all{{}, {}, 0, site};
    _Unwind_Backtrace(
        [](_Unwind_Context* context, void* data) {
            call_stack& to = *static_cast<call_stack*>(data);
            const std::uintptr_t ip = _Unwind_GetIP(context);
            if (ip == 0 || to.sites.size() > 48) return _URC_END_OF_STACK;
            if (ip == to.from) to.start = to.sites.size();
            to.sites.push_back(ip);
            to.pointers.push_back(_Unwind_GetCFA(context));
            return _URC_NO_REASON;
        },
        &all);
    if (site != 0 && (all.sites.empty() || all.sites[all.start] != site)) return {{site}, {0}, 0, site};
    const auto skip = static_cast<std::ptrdiff_t>(all.start);
    all.sites.erase(all.sites.begin(), all.sites.begin() + skip);
    all.pointers.erase(all.pointers.begin(), all.pointers.begin() + skip);
    return all;
}

what kind_of(const event& e) {
    switch (e.kind) {
    case event_kind::read:
        return e.lock ? (e.rmw ? what::lock : what::lock_busy) : (e.rmw ? what::rmw : what::read);
    case event_kind::write:
        return e.lock ? what::unlock : e.mo == order::plain ? what::plain_write : what::write;
    case event_kind::fence:
    case event_kind::choice:
    case event_kind::wake:
        return what::fence;
    case event_kind::interrupt:
        return what::interrupt;
    case event_kind::create:
        return what::create;
    case event_kind::begin:
        return what::begin;
    case event_kind::join:
        return what::join;
    default:
        return what::end;
    }
}

} // namespace

/// Plain writes are done by the time their thread comes to its next access.
void recorder::settle_notes() {
    for (std::size_t i = notes_.size(); i-- > 0 && !notes_[i].valued;) {
        noted& n = notes_[i];
        n.valued = true;
        if (n.thread == program_.current()) n.value = program_.read(n.address, n.size);
    }
}

void recorder::note_visible(const request& what) {
    settle_notes();
    noted n;
    n.thread = program_.current();
    n.depth = static_cast<std::uint8_t>(program_.thread(program_.current()).contexts.depth);
    n.index = program_.thread(program_.current()).next_index;
    n.visible = true;
    n.valued = true;
    n.address = what.address;
    if (what.site != 0) {
        call_stack calls = calls_from(what.site);
        n.sites = std::move(calls.sites);
        n.pointers = std::move(calls.pointers);
    }
    notes_.push_back(std::move(n));
}

void recorder::note_plain(std::uintptr_t address, std::size_t size, bool write, std::uintptr_t site) {
    settle_notes();
    if (address < 65'536) return;
    noted n;
    n.thread = program_.current();
    n.depth = static_cast<std::uint8_t>(program_.thread(program_.current()).contexts.depth);
    n.index = program_.thread(program_.current()).next_index - 1;
    n.write = write;
    n.valued = !write;
    n.size = static_cast<std::uint8_t>(std::min(size, sizeof(value_t)));
    n.whole = size;
    n.address = address;
    call_stack calls = calls_from(site);
    n.sites = std::move(calls.sites);
    n.pointers = std::move(calls.pointers);
    if (!write) n.value = program_.read(address, n.size);
    notes_.push_back(std::move(n));
}

void recorder::note_allocation(std::uintptr_t address, std::size_t size) {
    allocations_.push_back({address, size, calls_from(0).sites});
}

/// Says which frame of its owner's stack the address of `e` lies in.
void recorder::locate_in_stack(recorded_event& e, thread_id owner, const noted* when) const {
    e.where = recorded_event::region::stack;
    e.other = owner;
    const std::uintptr_t first = program_.storage().in_first(owner, e.address, program_.storage_of(owner));
    if (first != 0) {
        e.where = recorded_event::region::thread_storage;
        e.offset = first;
        return;
    }
    e.offset = program_.memory().stack_top(owner) - e.address;
    if (!when) return;
    // The frames of its owner as they were at that time, or nearest before.
    while (when != notes_.data() && (when->thread != e.other || when->sites.empty())) --when;
    if (when->thread != e.other) return;
    for (std::size_t i = 0; i + 1 < when->pointers.size(); ++i)
        if (e.address >= when->pointers[i] && e.address < when->pointers[i + 1]) {
            e.frame_site = when->sites[i];
            e.frame_below = when->pointers[i + 1] - e.address;
            e.frame_above = e.address - when->pointers[i];
        }
}

/// Says where the address of `e` lies. @param when what its thread noted at the access, if it did
void recorder::locate(recorded_event& e, const noted* when) const {
    if (e.address == 0) return;
    using region = recorded_event::region;
    e.where = region::elsewhere;
    const program_memory& memory = program_.memory();
    if (const int owner = memory.stack_owner(e.address); owner >= 0) {
        locate_in_stack(e, static_cast<thread_id>(owner), when);
    } else if (memory.in_heap(e.address) || memory.in_mapped(e.address)) {
        e.where = memory.in_heap(e.address) ? region::heap : region::mapped;
        if (e.where == region::heap) {
            e.other = static_cast<std::uint16_t>(memory.heap_owner(e.address));
            e.offset = e.address - memory.heap_begin(e.other);
        }
        for (const noted_allocation& a : allocations_)
            if (e.address >= a.address && e.address < a.address + std::max<std::size_t>(a.size, 1)) {
                e.allocated_at = a.sites;
                e.allocation = static_cast<std::size_t>(&a - allocations_.data());
                e.allocated = a.size;
                e.offset = e.address - a.address;
            }
    } else {
        for (const memory_range& range : memory.data())
            if (range.contains(e.address)) e.where = region::executable;
    }
}

void recorder::move_behind(thread_id t, unsigned index) {
    for (auto n = notes_.rbegin(); n != notes_.rend(); ++n)
        if (n->thread == t && n->visible) {
            if (n->index == index) ++n->index;
            break;
        }
}

void recorder::forget() {
    notes_.clear();
    allocations_.clear();
}

const noted* recorder::note_of(const event& e) const {
    for (const noted& n : notes_)
        if (n.visible && n.thread == e.thread && n.index == e.index) return &n;
    return nullptr;
}

/// Whether a plain write has an event of its own, right behind it: it writes what is accessed atomically too.
bool recorder::has_event(const noted& n) const {
    const location_id l = graph_.find(n.address);
    if (l == none) return false;
    for (unsigned i = n.index + 1u; i <= graph_.thread_size(n.thread); ++i) {
        const event& e = graph_.at(graph_.in_thread(n.thread, i));
        if (e.kind != event_kind::write || e.mo != order::plain) return false;
        if (e.location == l) return true;
    }
    return false;
}

/// The plain accesses of `t` between its event `index` and the next.
void recorder::add_plain(std::vector<recorded_event>& all, thread_id t, unsigned index,
                         const noted* failing) const {
    for (const noted& n : notes_) {
        if (n.visible || n.thread != t || n.index != index || &n == failing) continue;
        if (n.write && has_event(n)) continue;
        recorded_event r;
        r.kind = n.write ? what::plain_write : what::plain_read;
        r.thread = t;
        r.depth = n.depth;
        r.size = n.size;
        r.whole = n.whole;
        r.address = n.address;
        r.value = static_cast<std::uint64_t>(n.value);
        r.complete = n.valued;
        r.sites = n.sites;
        locate(r, &n);
        all.push_back(std::move(r));
    }
}

/// @param place where each event before it is in the record
recorded_event recorder::recorded(event_id id, const std::vector<std::size_t>& place) const {
    const event& e = graph_.at(id);
    recorded_event r;
    r.kind = kind_of(e);
    if (e.is_access() || e.kind == event_kind::fence) r.order = order_name(e.mo);
    if (e.word) r.word = e.word;
    if (e.word == looks_for_kill && e.value != 0) r.word = "finds the signal";
    if (e.kind == event_kind::wake) r.word = "notify";
    if (e.kind == event_kind::choice && !e.word) r.word = "choose";
    if (e.kind == event_kind::choice && e.value == 0 && e.word && e.word != locks_step_back && !e.locked)
        r.word = e.word == stop_or_go ? went_on : e.weak ? "wait until woken" : "use fresh memory";
    r.thread = e.thread;
    r.depth = e.depth;
    r.size = e.size;
    r.value = static_cast<std::uint64_t>(e.value);
    if (e.is_access()) {
        r.location = e.location;
        r.address = graph_.loc(e.location).address;
    }
    if (e.is_read()) r.rf = place[e.rf];
    if (e.kind == event_kind::write) r.co = graph_.co_place(id);
    if (e.peer != none) r.other = graph_.at(e.peer).thread;
    const noted* const n = note_of(e);
    locate(r, n);
    if (n && !n->sites.empty())
        r.sites = n->sites;
    else if (e.site != 0)
        r.sites = {e.site};
    return r;
}

/// How many bytes what failed accesses, by thread `t`; of what is no access, as free(), the first ones.
static std::size_t failing_bytes(const thread_state& t, const noted* failing) {
    constexpr std::size_t first_ones = 16;
    if (!failing) return first_ones;
    if (!failing->visible) return std::max<std::size_t>(failing->whole, 1);
    return t.pending && t.what.size != 0 ? t.what.size : first_ones;
}

/// Marks the latest access with which what failed races. @param bytes of what failed
static void mark_culprit(std::vector<recorded_event>& all, const failure& f, std::size_t bytes) {
    for (auto e = all.rbegin(); e != all.rend(); ++e) {
        const std::size_t own = std::max<std::size_t>({e->whole, e->size, 1});
        const bool overlaps =
            e->address != 0 && e->address < f.address + bytes && f.address < e->address + own;
        if (!overlaps || e->thread != f.other_thread || e->sites.empty() || e->sites.front() != f.other_site)
            continue;
        e->culprit = true;
        return;
    }
}

std::vector<recorded_event> recorder::record(const failure& f) const {
    std::vector<recorded_event> all;
    std::vector<std::size_t> place(graph_.size(), recorded_event::initial);
    const noted* const failing = failing_note(f);
    for (event_id id = 0; id < graph_.size(); ++id) {
        const event& e = graph_.at(id);
        if (e.kind == event_kind::init) continue;
        const bool unseen = (e.kind == event_kind::interrupt && e.value == 0) ||
                            (e.blocked && e.index < graph_.thread_size(e.thread)); // and read again
        if (e.kind == event_kind::write && e.rmw && !e.is_part()) { // merged into its read part
            place[id] = place[graph_.in_thread(e.thread, e.index - 1u)];
            recorded_event& whole = all[place[id]];
            whole.written = static_cast<std::uint64_t>(e.value);
            whole.co = graph_.co_place(id);
        } else if (!unseen) {
            place[id] = all.size();
            all.push_back(recorded(id, place));
            if (e.kind == event_kind::begin && e.peer != none) all[place[e.peer]].other = e.thread;
        }
        if (!(e.is_read() && e.rmw)) add_plain(all, e.thread, e.index, failing);
    }
    if (f.races) mark_culprit(all, f, failing_bytes(program_.thread(f.thread), failing));
    if (f.kind != failure_kind::nothing) all.push_back(last_event(f));
    return all;
}

/// What failed, which the graph does not have yet.
recorded_event recorder::last_event(const failure& f) const {
    recorded_event e;
    e.kind = what::failure;
    e.thread = f.thread;
    e.address = f.address;
    e.culprit = true;
    e.complete = false;
    if (f.site != 0) e.sites = {f.site};
    const noted* n = failing_note(f);
    if (n) {
        e.sites = n->sites;
        e.address = n->address;
        e.size = n->size;
        e.whole = n->whole;
        e.depth = n->depth;
        e.value = static_cast<std::uint64_t>(n->value);
        if (!n->visible) {
            e.kind = n->write ? what::plain_write : what::plain_read;
        } else if (program_.thread(f.thread).pending) {
            const request& asked = program_.thread(f.thread).what;
            e.kind = kind_of(asked.act).shown;
            if (e.kind != what::failure) e.order = order_name(asked.mo);
            if (asked.word) e.word = asked.word;
            e.size = asked.size;
        }
    }
    locate(e, n);
    return e;
}

/// The note of the access that failed, the last of its thread, unless that one has become an event.
const noted* recorder::failing_note(const failure& f) const {
    // A plain access is followed by the request that reports its failure.
    const noted* found = nullptr;
    const std::size_t done = graph_.thread_size(f.thread);
    for (auto n = notes_.rbegin(); n != notes_.rend(); ++n) {
        if (n->thread != f.thread) continue;
        const bool at_site = !n->sites.empty() && n->sites.front() == f.site;
        if (!at_site || (n->visible ? n->index <= done : n->index != done)) break;
        found = &*n;
        if (!n->visible) break;
    }
    return found;
}

} // namespace ringproof::verify
