// SPDX-License-Identifier: Apache-2.0
// Accesses of memory that is accessed in mixed sizes, race/mixed_memory.hpp, made in pieces: one event for each piece, one
// after the other, with no event of another thread in between. To the search each piece is an access like any other, with
// reads-from and coherence of its own. What makes one access of them is this:
//
// - Whoever reads a piece of a write knows all of that write, and what it releases (model::join_whole).
// - Two writes that share several pieces have one order in all of them.
// - A read that takes one piece from a write takes none from before that write, where they share it.
// - No piece of a read is from before what happens before the whole read.
// - Under sc and tso the pieces are one event in the order that the model asks for (graph::is_whole).
//
// The last three are judged when the last piece is there. A write that fails them is given up: where all its pieces are
// the latest of their locations, none fails, and only those are ever taken off again for a revisit. A read may fail them
// with its last piece from the latest write: the first piece was chosen from an older one. Then its thread stops as by
// assume(false), and the others go on, for what they write may be read by the last piece instead. A torn read is no access
// to the model (event::open).
//
// Where a write's first piece has been read by a revisit, the others are not there yet: that write's thread goes first, and
// the reader is judged before it goes on (thread_state::unclosed).

#include "execution.hpp"

namespace ringproof::verify {

/// Whether no piece of what `id` is of is from before what its thread knows by now, nor from before a write of which it has
/// another piece.
bool execution::reads_as_one(event_id id, thread_clock hb) const {
    bool one = true;
    graph_.each_piece(id, [&](event_id r) {
        const event& e = graph_.at(r);
        const std::uint32_t place = graph_.co_place(e.rf);
        one = one && model::first_coherent<thread_clock>(graph_, e.location, hb) <= place;
        graph_.each_piece(id, [&](event_id other) {
            if (other == r) return;
            const event_id w = graph_.part_at(graph_.at(other).rf, e.location);
            one = one && (w == none || graph_.co_place(w) <= place);
        });
    });
    return one;
}

/// Whether the write that `id` is of has one order with each other write of the same pieces.
bool execution::writes_as_one(event_id id) const {
    bool one = true;
    graph_.each_piece(id, [&](event_id a) {
        const location_id at = graph_.at(a).location;
        for (const event_id v : graph_.loc(at).co) {
            if (v == a || !graph_.at(v).is_part()) continue;
            const bool before = graph_.co_place(v) < graph_.co_place(a);
            graph_.each_piece(id, [&](event_id b) {
                const event_id other = b == a ? none : graph_.part_at(v, graph_.at(b).location);
                if (other != none) one = one && before == (graph_.co_place(other) < graph_.co_place(b));
            });
        }
    });
    return one;
}

/// Whether the model allows the pieces of what `last` is the last of as one event. Marks them as such if it does.
bool execution::make_whole(event_id last) {
    graph_.at(last).open = false;
    bool latest = true;
    graph_.each_piece(last, [&](event_id p) {
        const event& e = graph_.at(p);
        latest = latest && graph_.co_last(e.is_read() ? e.rf : p);
    });
    if (latest || model_.consistent(graph_, last)) return true;
    graph_.at(last).open = true;
    return false;
}

/// `id` is what `t` has just read, in pieces or one that a write in pieces may have written. @return false when it is torn
bool execution::close_read(thread_state& t, event_id id) {
    bool complete = true;
    graph_.each_piece(id,
                      [&](event_id r) { complete = complete && graph_.last_part(graph_.at(r).rf) != none; });
    t.unclosed = !complete;
    if (!complete) return true;
    graph_.each_piece(id, [&](event_id r) {
        const event_id last = graph_.last_part(graph_.at(r).rf);
        if (last != graph_.at(r).rf) model_.join_whole(t.clocks, graph_.at(id), graph_.at(last));
    });
    if (graph_.at(id).more != 0) return true;
    if (reads_as_one(id, t.clocks.hb()) && (!graph_.at(id).is_part() || make_whole(id))) return true;
    t.status = thread_status::assumed;
    t.pending = false;
    if (writing_ == t.id) writing_ = no_thread;
    return false;
}

bool execution::close(thread_state& t) {
    if (!t.unclosed) return true;
    t.dirty = true;
    return close_read(t, graph_.in_thread(t.id, t.next_index - 1u));
}

/// Takes back what close() has noted in events that are still there.
void execution::reopen() {
    for (thread_state& t : program_) {
        if (!t.unclosed) continue;
        event& e = graph_.at(graph_.in_thread(t.id, t.next_index - 1u));
        e.hb().copy(t.clocks.hb());
        e.porf().copy(t.clocks.porf());
        e.open = e.is_part() && e.more == 0;
    }
}

/// Where the pending request of `t` is the first write of a read-modify-write in pieces: with the order of success it has to
/// know what it read. @return false when it cannot succeed
bool execution::may_succeed(thread_state& t) {
    if (t.what.act != action::write_part || t.what.parts < 2 || t.what.part != 0) return true;
    const event_id read = graph_.in_thread(t.id, t.next_index - 1u);
    if (is_acquire(graph_.at(read).mo) || !is_acquire(t.what.mo)) return true;
    graph_.each_piece(read, [&](event_id r) {
        model_.succeed(t.clocks, t.what.mo, graph_.at(graph_.last_part(graph_.at(r).rf)));
    });
    return reads_as_one(read, t.clocks.hb());
}

} // namespace ringproof::verify
