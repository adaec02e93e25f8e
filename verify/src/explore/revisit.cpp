// SPDX-License-Identifier: Apache-2.0
// Backward revisits: letting a read that was added earlier read from a write that is added now.

#include "explorer.hpp"

#include <algorithm>
#include <utility>

namespace ringproof::verify {

/// Collects the reads of `l` that the pending write of `writer` can revisit.
/// `rival`: the read of a read-modify-write that read the same write as this one did; only revisits
/// that take it away, or that are of it, leave a graph without two of them on one write.
///
/// A revisit deletes every event that was added after the read and is not in the prefix. To reach
/// each graph once, it is done only when all of those, and the read, were added maximally; that
/// depends on the event and the write alone, so one pass from the newest event on finds them all.
/// It ends at the oldest of the reads that are not in the prefix: most writes have none.
void explorer::collect_revisits(location_id l, thread_id writer, event_id rival) {
    const thread_clock porf = std::as_const(threads_[writer].clocks).porf();
    constexpr std::size_t small = 200; // events: the look itself costs less than to know where it ends
    std::uint32_t oldest = graph_.size() < small ? 0 : none;
    for (thread_id t = 0; t < thread_count_ && oldest != 0; ++t)
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
        if (e.is_read() && e.location == l && rival_gone) {
            revisits_.push_back(id);
            if (e.weak && fails_in(e, threads_[writer].what.operand))
                revisits_.push_back(id | fails_spuriously);
        }
    }
}

/// Whether `id` is what the search would have added had it known nothing but Previous, the events
/// with older stamps and those in the write's prefix: a read from the co-latest write, or a write
/// at the end of co that nothing reads from.
bool explorer::added_maximally(event_id id, thread_clock porf) const {
    const event& e = graph_.at(id);
    if (!e.is_access()) return e.maximal;
    if (e.spurious) return false; // it would have succeeded
    const auto in_previous = [&](const event& x) {
        return x.thread == init_thread || x.stamp <= e.stamp || porf.includes(x.thread, x.index);
    };
    if (e.is_write())
        for (event_id r = e.first_reader; r != none; r = graph_.at(r).next_reader)
            if (in_previous(graph_.at(r))) return false;
    const event_id source = e.is_read() ? e.rf : id;
    if (!in_previous(graph_.at(source))) return false;
    const auto& co = graph_.loc(e.location).co;
    for (std::size_t i = co.size(); i-- > 0 && co[i] != source;)
        if (in_previous(graph_.at(co[i]))) return false;
    return true;
}

/// Notes which events after the first `base` stay, and how: the porf-prefix of the write, in the
/// order in which they were added, which extends porf.
void explorer::plan_kept(std::uint32_t base, event_id r, thread_clock porf) {
    kept_.clear();
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
                     .thread = e.thread,
                     .index = e.index,
                     .stamp = e.stamp,
                     .value = e.value};
        if (e.is_access()) k.address = graph_.loc(e.location).address;
        if (e.kind == event_kind::write) {
            const auto& co = graph_.loc(e.location).co;
            std::uint32_t place = graph_.co_place(id);
            while (!stays(co[place - 1], id)) --place;
            k.after = co[place - 1];
        }
        kept_.push_back(k);
    }
}

event_id explorer::renamed(event_id old, std::uint32_t base) const {
    if (old < base) return old;
    for (const kept_event& k : kept_)
        if (k.old == old) return k.now;
    return none;
}

bool explorer::start_revisit(std::uint32_t n, event_id revisit) {
    const event_id r = revisit & ~fails_spuriously;
    const struct {
        thread_id thread;
        std::uint32_t stamp, node;
    } read{graph_.at(r).thread, graph_.at(r).stamp, graph_.at(r).node};
    if (read.node == none || (read.node & kept_bit) != 0)
        refute({.kind = failure_kind::nondeterminism,
                .message = "internal error: a read without a saved state would be revisited",
                .thread = read.thread});
    const thread_id writer = nodes_[n].thread;
    const search_node target = nodes_[read.node];
    plan_kept(target.graph_size, r, std::as_const(threads_[writer].clocks).porf());

    // Set aside what goes, and restore the program's state from before the read.
    taken_off f;
    f.base = target.graph_size;
    f.base_log = target.log;
    f.states = kept_states_.size();
    f.events = set_aside_.size();
    f.changes = changes_aside_.size();
    graph_.copy_from(f.base, set_aside_);
    graph_.pop_to(f.base);
    shadow_.undo(f.base_log, &changes_aside_);
    nodes_[n].frame = static_cast<std::uint32_t>(frames_.size());
    frames_.push_back(f);
    live_ = ~0u;
    const std::uint16_t count = images_.restore(target.state, threads_);
    for (thread_id t = count; t < thread_count_; ++t) {
        threads_[t].status = thread_status::unborn;
        threads_[t].context = nullptr;
        threads_[t].dirty = true;
    }
    writing_ = none16;

    for (kept_event& k : kept_) {
        replay_kept(k);
        k.now = static_cast<event_id>(graph_.size() - 1);
    }

    until_pending(writer);
    const location_id l = location_of(threads_[writer], threads_[writer].what);
    const auto options_before = static_cast<std::uint32_t>(options_.size());
    const std::uint32_t found = places(writer, l);
    search_node way;
    way.thread = writer;
    way.reader = read.thread;
    way.reader_fails = r != revisit;
    way.reader_stamp = read.stamp;
    way.reader_node = read.node;
    if (found == 1) {
        const std::uint32_t place = options_.back();
        options_.pop_back();
        return place_and_revisit(way, place);
    }
    const std::uint32_t p = push_node(node_kind::place, writer);
    search_node& choice = nodes_[p];
    choice.options_begin = choice.option = options_before;
    choice.reader = way.reader;
    choice.reader_fails = way.reader_fails;
    choice.reader_stamp = way.reader_stamp;
    choice.reader_node = way.reader_node;
    ++choice.option;
    return place_and_revisit(way, options_[options_before]);
}

/// Puts what the finished revisit of `n` had set aside back.
void explorer::finish_revisit(search_node& n) {
    const taken_off f = frames_.back();
    frames_.pop_back();
    n.frame = none;
    if (kept_states_.size() > f.states) images_.drop(kept_states_[f.states].state);
    kept_states_.resize(f.states);
    graph_.pop_to(f.base);
    shadow_.undo(f.base_log);
    for (std::size_t i = f.events; i < set_aside_.size(); ++i) graph_.push(set_aside_[i]);
    set_aside_.shrink(f.events);
    shadow_.redo(changes_aside_, f.changes);
}

void explorer::replay_kept(const kept_event& k) {
    const thread_id t = k.thread;
    until_pending(t);
    thread_state& th = threads_[t];
    th.dirty = true;
    const auto diverged = [&](const char* what) {
        refute({.kind = failure_kind::nondeterminism,
                .message = std::string("the program is not deterministic: event ") + std::to_string(k.index) +
                           " of thread " + std::to_string(t) + " was the same kind of access before, now " +
                           what,
                .thread = t,
                .site = th.what.site,
                .address = th.what.address});
    };
    const std::uint32_t base = frames_.back().base;
    const bool is_access = k.kind == event_kind::read || k.kind == event_kind::write;
    if (is_access && th.what.address != k.address) diverged("it has another address");
    if (k.kind == event_kind::read) {
        const location_id l = location_of(th, th.what);
        // The initial write is opened anew where it was opened after the base.
        const event_id w =
            k.rf >= base && renamed(k.rf, base) == none ? graph_.loc(l).init : renamed(k.rf, base);
        check_races(t, th.what.act == action::modify);
        add_read(t, w, true, k.stamp, keep_state(th), k.spurious);
    } else if (k.kind == event_kind::write) {
        const location_id l = location_of(th, th.what);
        if (th.what.act != action::plain_write && th.what.operand != k.value)
            diverged("it writes another value");
        const event_id after =
            k.after >= base && renamed(k.after, base) == none ? graph_.loc(l).init : renamed(k.after, base);
        const std::uint32_t place = graph_.co_place(after) + 1;
        if (th.what.act != action::plain_write) check_races(t, true);
        add_write(t, place, k.stamp);
    } else if (k.kind == event_kind::interrupt) {
        add_interrupt(t, k.stamp, static_cast<std::uint32_t>(k.value));
    } else if (k.kind == event_kind::choice && th.what.act != action::choose) {
        skip_iterations(t, k.stamp, static_cast<std::uint32_t>(k.value));
    } else {
        const std::uint32_t before = keep_state(th);
        add_other(t, k.stamp, static_cast<std::uint32_t>(k.value));
        graph_.at(static_cast<event_id>(graph_.size() - 1)).node = before;
    }
}

bool explorer::place_and_revisit(const search_node& way, std::uint32_t place) {
    if (!add_write(way.thread, place, ++stamp_)) return false;
    const auto w = static_cast<event_id>(graph_.size() - 1);
    const location_id l = graph_.at(w).location;
    until_pending(way.reader);
    thread_state& reader = threads_[way.reader];
    if (model::first_coherent<thread_clock>(graph_, l, reader.clocks.hb()) > graph_.co_place(w)) return false;
    check_races(way.reader, reader.what.act == action::modify);
    return add_read(way.reader, w, true, way.reader_stamp, way.reader_node, way.reader_fails);
}

} // namespace ringproof::verify
