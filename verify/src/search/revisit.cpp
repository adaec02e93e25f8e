// SPDX-License-Identifier: Apache-2.0
// Backward revisits: letting a read that was added earlier read from a write that is added now.

#include "../program/request_kinds.hpp"
#include "explorer.hpp"

#include <optional>
#include <string>

namespace ringproof::verify {

/// Lets `t` go on behind an iteration that was noticed, as it did before the revisit: all that it knew then, `known`, is kept as
/// well, under the same numbers. It may have stopped there in the state that the search has gone back to.
static void go_on_noticed(thread_state& t, thread_clock known, std::uint8_t noticed) {
    t.clocks.porf().join(known);
    t.noticed = noticed;
    t.status = thread_status::ready;
    t.woke_in_vain = false;
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
    const std::uint8_t noticed = program_.thread(writer).noticed;
    const thread_clock porf = program_.thread(writer).clocks.porf();
    std::optional<thread_clocks> known;
    if (noticed != 0) known.emplace().porf().copy(porf);
    revisits_.plan_kept(execution_.states().at(read.node).graph_size, r, porf);
    reductions_.left_out.note_kept();
    nodes_[n].frame = execution_.set_aside(read.node);
    for (kept_event& k : revisits_.kept()) {
        replay_kept(k);
        k.now = static_cast<event_id>(graph_.size() - 1);
    }
    reductions_.left_out.keep_again();

    until_pending(writer);
    if (known) go_on_noticed(program_.thread(writer), known->porf(), noticed);
    const location_id l = races_.location_of(program_.thread(writer), program_.thread(writer).what);
    const auto options_before = static_cast<std::uint32_t>(nodes_.options.size());
    const std::uint32_t found = places(program_.thread(writer), l);
    if (found == 0) return false;
    search_node way;
    way.thread = writer;
    way.reader = read.thread;
    way.reader_fails = r != revisit;
    way.reader_stamp = read.stamp;
    way.reader_node = read.node;
    if (found == 1) {
        const std::uint32_t place = nodes_.options.back();
        nodes_.options.pop_back();
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
    return place_and_revisit(way, nodes_.options[options_before]);
}

/// What the event is now that a kept one refers to as `old`. The initial write is opened anew where it was opened after the
/// base.
static event_id now_of(const revisits& all, event_id old, std::uint32_t base, event_id initial) {
    const event_id now = all.renamed(old, base);
    return old >= base && now == none ? initial : now;
}

void explorer::replay_kept(const kept_event& k) {
    const thread_id t = k.thread;
    until_pending(t);
    thread_state& th = program_.thread(t);
    th.dirty = true;
    const auto diverged = [&](const std::string& now) {
        refute({.kind = failure_kind::nondeterminism,
                .message = "the program is not deterministic: event " + std::to_string(k.index) +
                           " of thread " + std::to_string(t) + " was another one before: now " + now,
                .thread = t,
                .site = th.what.site,
                .address = th.what.address});
    };
    if (reductions_.commuting.any()) reductions_.commuting.before(th);
    if (k.noticed != 0) go_on_noticed(th, revisits_.known_then(k), k.noticed);
    const request_kind& kind = kind_of(th.what.act);
    const bool own_choice =
        k.kind == event_kind::interrupt || (k.kind == event_kind::choice && th.what.act != action::choose);
    if (!own_choice && kind.event != k.kind) diverged(std::string("it asks for ") + kind.name);
    const std::uint32_t base = execution_.states().base_of_revisit();
    const bool is_access = k.kind == event_kind::read || k.kind == event_kind::write;
    if (is_access && th.what.address != k.address) diverged("it has another address");
    if (k.kind == event_kind::read) {
        const location_id l = races_.location_of(th, th.what);
        const event_id w = now_of(revisits_, k.rf, base, graph_.loc(l).init);
        races_.check_races(t, th.what.act == action::modify);
        const std::uint32_t before = execution_.keep_state(th);
        // Whether it was read in vain took a look at what came behind it: that is not asked anew.
        if (k.blocked && !must_wait(th.what, k.value))
            wait_behind(th, w, k.stamp, before, true);
        else
            add_read(t, w, true, k.stamp, before, k.spurious);
    } else if (k.kind == event_kind::write) {
        const location_id l = races_.location_of(th, th.what);
        if (th.what.act == action::update) {
            races_.check_races(t, true);
            add_write(t, static_cast<std::uint32_t>(graph_.loc(l).co.size()), k.stamp);
            return;
        }
        if (th.what.act != action::plain_write && th.what.operand != k.value)
            diverged("it writes another value");
        const event_id after = now_of(revisits_, k.after, base, graph_.loc(l).init);
        const std::uint32_t place = graph_.co_place(after) + 1;
        if (th.what.act != action::plain_write) races_.check_races(t, true);
        add_write(t, place, k.stamp);
    } else if (k.kind == event_kind::interrupt) {
        execution_.add_interrupt(t, k.stamp, static_cast<std::uint32_t>(k.value));
    } else if (k.kind == event_kind::choice && th.what.act != action::choose) {
        reductions_.counted.skip_iterations(t, k.stamp, static_cast<std::uint32_t>(k.value));
    } else {
        const std::uint32_t before = execution_.keep_state(th);
        execution_.add_other(t, k.stamp, static_cast<std::uint32_t>(k.value));
        graph_.at(static_cast<event_id>(graph_.size() - 1)).node = before;
    }
}

/// Takes a way on from node `n` that ends in a revisit. The state before the read is only saved, which costs more than the
/// read, when its thread has come round in a loop: then the way is taken once more.
template <class Function>
bool explorer::revisit_from(std::uint32_t n, Function way) {
    wants_second_look_ = second_look_ = false;
    restore(n);
    const bool alive = way();
    if (!wants_second_look_) return alive;
    unwind(n + 1u); // where the write goes may have been a node of its own
    second_look_ = true;
    restore(n);
    return way();
}

bool explorer::take_revisit(std::uint32_t n, event_id revisit) {
    return revisit_from(n, [&] { return start_revisit(n, revisit); });
}

bool explorer::take_place(std::uint32_t n, std::uint32_t place) {
    return revisit_from(n, [&] { return place_and_revisit(search_node(nodes_[n]), place); });
}

/// Adds the write of `way` at `place`, and lets its reader read from it.
bool explorer::place_and_revisit(const search_node& way, std::uint32_t place) {
    if (!add_write(way.thread, place, execution_.next_stamp())) return false;
    const auto w = static_cast<event_id>(graph_.size() - 1);
    const location_id l = graph_.at(w).location;
    until_pending(way.reader);
    thread_state& reader = program_.thread(way.reader);
    if (model::first_coherent<thread_clock>(graph_, l, reader.clocks.hb()) > graph_.co_place(w)) return false;
    if (!execution_.alike().may_read(reader, w, way.reader_fails)) return false;
    races_.check_races(way.reader, reader.what.act == action::modify);
    const action act = reader.what.act;
    // A write that is not complete goes first.
    const bool may_wait = reader.what.parts < 2 &&
                          program_.thread(way.thread).mid == thread_state::midway::no && !way.reader_fails &&
                          reader.what.frame != 0 && (act == action::load || act == action::compare);
    if (may_wait && second_look_) return read_or_wait(way, w);
    if (!add_read(way.reader, w, true, way.reader_stamp, way.reader_node, way.reader_fails)) return false;
    if (!may_wait || reader.status != thread_status::ready || reader.pending) return true;
    run_on(way.reader);
    wants_second_look_ = reductions_.blocked.may_apply_to(l) && (reductions_.idle.has_come_round(reader) ||
                                                                 reductions_.retried.has_come_round(reader));
    return true;
}

/// Lets the reader of `way` read from `w`. If that ends an iteration without effect it waits for what comes next, as it
/// would for a lock.
bool explorer::read_or_wait(const search_node& way, event_id w) {
    thread_state& reader = program_.thread(way.reader);
    const unsigned index = reader.next_index;
    bool alive = false, nowhere = false;
    std::uint32_t from = 0;
    const bool in_vain = execution_.undo_if([&](const kept_state& before) {
        alive = add_read(way.reader, w, true, way.reader_stamp, way.reader_node);
        if (!alive || reader.status != thread_status::ready || reader.pending) return false;
        execution_.resume(way.reader);
        if (reader.next_index != index + 1 || (!reductions_.idle.read_in_vain(reader, before) &&
                                               !reductions_.retried.read_in_vain(reader, before)))
            return false;
        from = reader.waiting_from;
        nowhere = reductions_.leads_nowhere(reader);
        return true;
    });
    if (!in_vain) return alive;
    if (nowhere) {
        ++facts_.result.pruned;
        return false;
    }
    alive = wait_behind(reader, w, way.reader_stamp, way.reader_node,
                        reductions_.blocked.applies_to(graph_.at(w).location));
    reader.waiting_from = from;
    return alive;
}

/// Adds a read from `w` that ends an iteration of `t` without effect: `t` stands before it again, and waits.
bool explorer::wait_behind(thread_state& t, event_id w, std::uint32_t stamp, std::uint32_t node,
                           bool blocked) {
    t.dirty = true;
    if (reductions_.commuting.any()) reductions_.commuting.note_read(t, graph_.at(w).location);
    return execution_.add_read(t.id, w, true, stamp, node, false, {.fails = true, .blocked = blocked});
}

} // namespace ringproof::verify
