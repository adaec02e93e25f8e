// SPDX-License-Identifier: Apache-2.0
#include "revisits.hpp"

#include "node_stack.hpp"

#include <algorithm>

namespace ringproof::verify {

/// Collects the reads of `l` that the pending write of `writer` can revisit.
/// `rival`: the read of a read-modify-write that read the same write as this one did; only revisits
/// that take it away, or that are of it, leave a graph without two of them on one write.
///
/// A revisit deletes every event that was added after the read and is not in the prefix. To reach
/// each graph once, it is done only when all of those, and the read, were added maximally; that
/// depends on the event and the write alone, so one pass from the newest event on finds them all.
/// It ends at the oldest of the reads that are not in the prefix: most writes have none.
void revisits::collect_revisits(location_id l, thread_id writer, event_id rival,
                                std::vector<event_id>& found) const {
    const thread_clock porf = program_.thread(writer).clocks.porf();
    constexpr std::size_t small = 200; // events: the look itself costs less than to know where it ends
    std::uint32_t oldest = graph_.size() < small ? 0 : none;
    for (thread_id t = 0; t < program_.thread_count() && oldest != 0; ++t)
        for (event_id r = graph_.loc(l).last_read[t]; r != none; r = graph_.at(r).earlier_read) {
            if (porf.includes(t, graph_.at(r).index)) break;
            oldest = std::min(oldest, graph_.at(r).stamp);
        }
    if (oldest == none) return;
    bool rival_gone = rival == none;
    for (event_id id = graph_.newest(); id != none; id = graph_.at(id).older) {
        const event& e = graph_.at(id);
        if (e.stamp < oldest) return;
        if (porf.includes(e.thread, e.index)) continue;
        if (!added_maximally(id, porf)) return;
        if (id == rival) rival_gone = true;
        if (e.is_read() && e.location == l && rival_gone && !e.blocked) {
            found.push_back(id);
            if (e.weak && !e.is_part() && execution_.fails_in(e, program_.thread(writer).what.operand))
                found.push_back(id | fails_spuriously);
        }
    }
}

/// Whether `id` is what the search would have added had it known nothing but Previous, the events
/// with older stamps and those in the write's prefix: a read from the co-latest write, or a write
/// at the end of co that nothing reads from.
bool revisits::added_maximally(event_id id, thread_clock porf) const {
    const event& e = graph_.at(id);
    if (!e.is_access()) return e.maximal;
    if (e.is_part() && e.weak && !graph_.has_rival(id, [&](const event& r) {
            return r.stamp <= e.stamp || porf.includes(r.thread, r.index);
        }))
        return false;             // it would have been written
    if (e.spurious) return false; // it would have succeeded
    if (e.update) return true;    // it is nowhere else
    const auto in_previous = [&](const event& x) {
        return x.thread == init_thread || x.stamp <= e.stamp || porf.includes(x.thread, x.index);
    };
    if (e.is_write())
        for (event_id r = e.first_reader; r != none; r = graph_.at(r).next_reader)
            if (in_previous(graph_.at(r))) return false;
    const event_id source = e.is_read() ? e.rf : id;
    if (!in_previous(graph_.at(source))) return false;
    if (e.blocked) return true;            // see blocked_locks.cpp
    if (e.rmw && e.is_part()) return true; // a write: its read, maximal or not, leaves it no other place
    const auto& co = graph_.loc(e.location).co;
    for (std::size_t i = co.size(); i-- > 0 && co[i] != source;)
        if (in_previous(graph_.at(co[i]))) return false;
    return true;
}

/// Notes which events after the first `base` stay, and how: the porf-prefix of the write, in the
/// order in which they were added, which extends porf.
void revisits::plan_kept(std::uint32_t base, event_id r, thread_clock porf) {
    kept_.clear();
    clocks_.clear();
    const auto stays = [&](event_id id, event_id before) {
        if (id < base) return true;
        const event& x = graph_.at(id);
        return id < before && id != r && (x.thread == init_thread || porf.includes(x.thread, x.index));
    };
    for (event_id id = base; id < graph_.size(); ++id) {
        const event& e = graph_.at(id);
        if (e.kind == event_kind::init || !stays(id, none)) continue;
        kept_event k{.old = id,
                     .rf = e.rf,
                     .kind = e.kind,
                     .spurious = e.spurious,
                     .blocked = e.blocked,
                     .thread = e.thread,
                     .index = e.index,
                     .stamp = e.stamp,
                     .value = e.value};
        if (e.is_access()) k.address = graph_.loc(e.location).address;
        if (e.noticed != 0) {
            k.noticed = e.noticed;
            k.known_then = clocks_.size();
            clocks_.emplace_back().porf().copy(e.porf());
        }
        if (e.kind == event_kind::write) {
            const auto& co = graph_.loc(e.location).co;
            std::uint32_t place = graph_.co_place(id);
            while (!stays(co[place - 1], id)) --place;
            k.after = co[place - 1];
        }
        kept_.push_back(k);
    }
}

event_id revisits::renamed(event_id old, std::uint32_t base) const {
    if (old < base) return old;
    for (const kept_event& k : kept_)
        if (k.old == old) return k.now;
    return none;
}

} // namespace ringproof::verify
