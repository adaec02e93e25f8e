// SPDX-License-Identifier: Apache-2.0
#include "accesses.hpp"

#include "map_errors.hpp"
#include "runtime.hpp"

#include <algorithm>
#include <cstring>

namespace ringproof::verify {
namespace {

/// The location in use that has bytes of a range, and of those that begin at or behind `from` begins first, or none.
location_id next_location(const graph& g, std::uintptr_t from, const memory_range& range) {
    constexpr std::size_t at_once = 64;
    for (std::uintptr_t a = std::max(from, range.begin); a < range.end; a += at_once) {
        location_id next = none;
        g.each_at(a, std::min(at_once, range.end - a), [&](location_id l) {
            const std::uintptr_t at = g.loc(l).address;
            if (at >= from && g.current(l) && (next == none || at < g.loc(next).address)) next = l;
        });
        if (next != none) return next;
    }
    return none;
}

} // namespace

void memory_accesses::too_many_plain(std::uintptr_t address, std::uintptr_t site) {
    const program::engine_runs engine;
    runtime_.fail_here(failure_kind::limit,
                       "a thread made " + std::to_string(facts_.limits.plain_accesses) +
                           " plain accesses without any that others could see: does it loop for ever?",
                       site, address);
}

/// A plain access, on the program's stack, just before it happens.
void memory_accesses::plain_shared(std::uintptr_t address, std::size_t size, bool write,
                                   std::uintptr_t site) {
    if (size == 0) return;
    if (address_checks::may_be_view(address)) return plain_in_views(address, size, write, site);
    plain_at_home(address, size, write, site);
}

/// An access of memory that may have several addresses: of its home, which is in pieces where two views touch.
void memory_accesses::plain_in_views(std::uintptr_t address, std::size_t size, bool write,
                                     std::uintptr_t site) {
    for (std::uintptr_t begin = address, end; begin < address + size; begin = end) {
        end = program_.end_of_part(begin, address + size);
        std::uintptr_t home;
        {
            const program::engine_runs engine;
            home = runtime_.addresses().at_home(begin, end - begin, write, site);
        }
        plain_at_home(home, end - begin, write, site);
    }
}

void memory_accesses::plain_at_home(std::uintptr_t address, std::size_t size, bool write,
                                    std::uintptr_t site) {
    const bool thread_local_one = program_.storage().is_shared(address);
    if (thread_local_one && !facts_.interrupts) return;
    if (write && !thread_local_one && facts_.processes_may_die && program::in_process())
        runtime_.before_plain_write(address, site);
    if (!thread_local_one && races_.raced().any() && races_.raced().touches(address, size))
        return raced(address, size, write, site);
    // What a read of raced memory has put there is copied behind this, where both are parts of one assignment.
    if (!races_.raced().any() || writes_unfinished()) end_volatile();
    plain_known(address, size, write, site);
}

/// A plain access that is one, as far as is known.
void memory_accesses::plain_known(std::uintptr_t address, std::size_t size, bool write, std::uintptr_t site) {
    const bool thread_local_one = program_.storage().is_shared(address);
    const program::engine_runs engine;
    if (facts_.interrupts) runtime_.handlers().plain_place(address, size, write, site);
    if (thread_local_one) return;
    thread_state& t = program_.self();
    if (facts_.tracing) recorder_.note_plain(address, size, write, site);
    if (++t.plain_accesses > facts_.limits.plain_accesses) too_many_plain(address, site);
    if (program_.images().is_watched(t.id) || !program_.memory().stack(t.id).contains(address))
        ++t.known_accesses;
    runtime_.addresses().check_address(t, address, size, write, site);
    if (write && !program_.memory().stack(t.id).contains(address)) note_write(address, size);
    if (races_.shadow().is_atomic(address, size)) {
        if (races_.learns_of_atomic(t, address, size, write)) runtime_.begin_anew_from_here();
        check_plain_against_atomic(t, address, size, write, site);
    }
    if (facts_.trying) return;
    note_told(t, address, size, write);
    races_.note_access(t, address, size, write ? access_kind::plain_write : access_kind::plain_read);
    const plain_access by = races_.access_by(t, write, site);
    if (const plain_access* other = races_.shadow().access(address, size, by, t.clocks.hb(), t.contexts)) {
        if (races_.shadow().ignores(*other, by)) {
            facts_.take_for_granted(assumption::race_ignored, site);
            facts_.take_for_granted(assumption::race_ignored, other->site);
            return;
        }
        if (races_.learns(t, *other, address, size)) runtime_.begin_anew_from_here();
        runtime_.fail_with(races_.race_failure(t, address, size, write, false, site, *other));
    }
}

/// Whether another's access was before this one by the last arrival of `t` at a counter alone, which may come first or last:
/// what it knew before doesn't order the two. Atomic accesses, and what others have mapped, are not compared.
bool memory_accesses::arrival_may_order(const thread_state& t, std::uintptr_t address, std::size_t size,
                                        bool write) {
    if (program_.memory().in_mapped(address) || races_.shadow().is_atomic(address, size)) return true;
    thread_clocks before;
    before.hb().clear();
    if (t.arrived_at > 2) before.hb().copy(graph_.at(graph_.in_thread(t.id, t.arrived_at - 2u)).hb());
    return races_.shadow().atomic(address, size, write, t.id, before.hb()) != nullptr;
}

/// On its own stack a thread's access is of interest only where it also makes atomic ones, as to the volatile
/// members of a local object, which read from the graph.
void memory_accesses::plain_beyond_stack(std::uintptr_t address, std::size_t size, bool write,
                                         std::uintptr_t site) {
    if (!program_.memory().stack(program_.self().id).contains(address) ||
        races_.shadow().is_atomic(address, size))
        plain(address, size, write, site);
}

/// Every atomic access of `l` has to be ordered before the plain access that `t` is about to make.
void memory_accesses::check_ordered(const thread_state& t, location_id l, std::uintptr_t address,
                                    std::size_t size, bool write, std::uintptr_t site) {
    const event* const e = races_.unordered_access(t, l, write);
    if (!e) return;
    failure f = failure_at(t, failure_kind::data_race,
                           std::string("data race: plain ") + (write ? "write" : "read") + " of " +
                               std::to_string(size) + " bytes, not ordered with an atomic " +
                               (e->is_read() ? "read" : "write") + " by thread " + std::to_string(e->thread),
                           address, site);
    name_other(f, e->thread, e->index, e->site);
    runtime_.fail_with(std::move(f));
}

void memory_accesses::check_returned_locals(const thread_state& t, std::uintptr_t site) {
    const memory_range gone = runtime_.addresses().returned_locals();
    if (gone.size() == 0 || facts_.trying || facts_.interrupts || program::in_process()) return;
    const program::engine_runs engine;
    if (program_.images().is_watched(t.id))
        races_.note_access(t, gone.begin, gone.size(), access_kind::plain_write);
    const auto fail = [&](failure f, thread_id other) {
        f.kind = failure_kind::use_after_free;
        f.message =
            "use after return: a local variable ends with its function here, which is not ordered behind an "
            "access by thread " +
            std::to_string(other);
        runtime_.fail_with(std::move(f));
    };
    if (const plain_access* other =
            races_.shadow().atomic(gone.begin, gone.size(), true, t.id, t.clocks.hb()))
        fail(races_.race_failure(t, gone.begin, gone.size(), true, false, site, *other), other->thread);
    graph_.each_at(gone.begin, gone.size(), [&](location_id l) {
        const event* const e = races_.unordered_access(t, l, true);
        if (!e) return;
        failure f = failure_at(t, failure_kind::use_after_free, "", graph_.loc(l).address, site);
        name_other(f, e->thread, e->index, e->site);
        fail(std::move(f), e->thread);
    });
}

/// Plain and atomic accesses of one location: a plain access that is ordered with all atomic ones
/// reads, or becomes, the co-latest write, of the whole location also where it changes a part of it; any
/// other is a race.
void memory_accesses::check_plain_against_atomic(const thread_state& t, std::uintptr_t address,
                                                 std::size_t size, bool write, std::uintptr_t site) {
    graph_.each_at(address, size, [&](location_id l) { check_ordered(t, l, address, size, write, site); });
    if (!write) return;
    // One after the other, by address: what is kept over a request is on the program's stack, with no room for all.
    bool more = false;
    for (std::uintptr_t from = 0;;) {
        const location_id next = next_location(graph_, from, {address, address + size});
        if (next == none) return;
        request what;
        what.act = action::plain_write;
        what.mo = order::plain;
        what.address = graph_.loc(next).address;
        what.size = graph_.loc(next).size;
        what.more = more;
        what.site = site;
        more = true;
        from = what.address + what.size;
        runtime_.visible_at_home(what);
    }
}

/// What a plain write beside the thread's own stack is about to change.
void memory_accesses::note_write(std::uintptr_t address, std::size_t size) {
    program_.note_stack_write(address);
    if (size > sizeof overwritten::bytes || overwritten_.size() == 64) {
        overwritten_unknown_ = true;
        return;
    }
    overwritten o{address, static_cast<std::uint8_t>(size), {}};
    std::memcpy(o.bytes, reinterpret_cast<const void*>(address), size);
    overwritten_.push_back(o);
}

bool memory_accesses::undo_writes() const {
    if (overwritten_unknown_) return false;
    for (auto o = overwritten_.rbegin(); o != overwritten_.rend(); ++o)
        std::memcpy(reinterpret_cast<void*>(o->address), o->bytes, o->size);
    return true;
}

} // namespace ringproof::verify
