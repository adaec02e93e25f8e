// SPDX-License-Identifier: Apache-2.0
// Performing what a thread has asked for: adding its next event in each way the model allows.

#include "../program/request_kinds.hpp"
#include "explorer.hpp"

#include <algorithm>

namespace ringproof::verify {

bool explorer::perform(thread_id t) {
    thread_state& th = program_.thread(t);
    th.dirty = true;
    if (!execution_.may_succeed(th)) {
        th.status = thread_status::assumed;
        th.pending = false;
        return true;
    }
    reductions_.commuting.before(th);
    if (reductions_.start.any()) reductions_.start.before(th);
    execution_.alike().follow(th);
    if (facts_.limits.rounds != 0 && th.what.part == 0 && too_many_rounds(th)) {
        // The others go on: what they write may let an earlier iteration end the loop.
        th.status = thread_status::assumed;
        return true;
    }
    if (th.woke_in_vain) th.status = thread_status::ready; // it was noticed
    th.woke_in_vain = th.early_wake != 0 && reductions_.vain.woke_in_vain(th);
    if (th.woke_in_vain) {
        th.status =
            thread_status::retrying; // also where its last read is not the latest: it may be noticed yet
        return true;
    }
    const unsigned due = handlers_due(th);
    const request_kind& kind = kind_of(th.what.act);
    if (kind.reads) return perform_read(t, due);
    if (due > 0) return perform_interrupt(t, due);
    if ((th.what.act == action::store || th.what.act == action::unlock || th.what.act == action::end) &&
        !facts_.tracing)
        if (const thread_status waits = reductions_.retried.without_effect(th); waits != thread_status::ready)
            return stop_in_iteration(th, waits);
    if (kind.writes) return perform_write(t);
    if (th.what.act == action::wake && th.what.arrives_in != 0 && !reductions_.is_unused(th))
        runtime_.bound("the program looks at how many threads a futex has woken, which is not modelled");
    switch (th.what.act) {
    case action::plain_write: {
        const location_id l = races_.location_of(th, th.what);
        return add_write(t, static_cast<std::uint32_t>(graph_.loc(l).co.size()), execution_.next_stamp());
    }
    case action::choose:
        return perform_choice(t);
    case action::sleep:
        return perform_sleep(t);
    case action::block:
        // Another execution is this one, or the branch comes to no end.
        if (th.what.other != 0 || reductions_.assumed.leads_nowhere(th)) {
            ++facts_.result.pruned;
            return false;
        }
        th.status = thread_status::assumed;
        return true;
    case action::fail:
        refute(std::move(runtime_.reported()));
    case action::point: // none is left that could come in
        th.pending = false;
        return true;
    default:
        execution_.add_other(t, execution_.next_stamp());
        return true;
    }
}

/// Stops `t` after an iteration without effect. @return whether the branch may lead somewhere
bool explorer::stop_in_iteration(thread_state& t, thread_status as) {
    // The thread can go on only when something it read changes: a write added later revisits
    // that read. Whichever read of the iteration that is, the last one is deleted with it or is it,
    // which takes that it saw the latest write when it was added; if it did not, no continuation
    // of this graph is complete.
    t.status = as;
    // One that read nothing, as a system call that was interrupted and tried again, waits for nothing either.
    unsigned last = t.next_index - 1u;
    while (last > 0 && !graph_.at(graph_.in_thread(t.id, last)).is_read()) --last;
    if (last == 0) {
        ++facts_.result.pruned;
        return false;
    }
    const event& read = graph_.at(graph_.in_thread(t.id, last));
    const bool may_be_revisited = read.maximal || (read.spurious && !execution_.says_nothing_new(t, read)) ||
                                  !reductions_.left_out.may_drop_branch(t, t.waiting_from);
    if (may_be_revisited && !reductions_.leads_nowhere(t)) return true;
    ++facts_.result.pruned;
    return false;
}

/// Adds the writes of `l` that the pending read of `t` can read from to the options, the latest first.
/// @param again it stepped aside before
void explorer::collect_sources(thread_state& th, location_id l, bool again) {
    const auto& co = graph_.loc(l).co;
    const std::uint32_t first = model::first_coherent<thread_clock>(graph_, l, th.clocks.hb());
    const bool attempt = reductions_.undone.is_attempt(th.what);
    const bool starts = reductions_.start.any() && reductions_.start.is_waited_for(th);
    for (auto i = static_cast<std::uint32_t>(co.size()); i-- > first;) {
        // A lock that sees an old "taken" can neither be had nor be revisited.
        if (i + 1 < co.size() && must_wait(th.what, graph_.at(co[i]).value)) continue;
        if (i + 1 < co.size() && attempt && reductions_.undone.attempt_fails(th, graph_.at(co[i]).value))
            continue;
        if (i + 1 < co.size() && reductions_.idle.spins(th, graph_.at(co[i]).value)) {
            judge_round(th, co[i]);
            continue;
        }
        // An old look at a start counter that only repeats would be the one that tells when threads came.
        if (i + 1 < co.size() && starts && reductions_.idle.would_come_back(th, graph_.at(co[i]).value))
            continue;
        // What a thread could read when it stepped aside is explored from there.
        if (i + 1 < co.size() && again && co[i] < th.offered) continue;
        if (i + 1 == co.size() || execution_.alike().may_read(th, co[i])) nodes_.options.push_back(co[i]);
        if (execution_.may_fail(th, graph_.at(co[i]).value) && execution_.alike().may_read(th, co[i], true))
            nodes_.options.push_back(co[i] | fails_spuriously);
    }
}

bool explorer::perform_read(thread_id t, unsigned handlers) {
    thread_state& th = program_.thread(t);
    const bool is_lock = th.what.act == action::lock || th.what.act == action::try_lock;
    const location_id l = races_.location_of(th, th.what);
    races_.check_races(t, th.what.act == action::modify);
    if (th.what.act == action::modify) reductions_.undone.learn_attempt(th);
    if (reductions_.restored.judges())
        reductions_.restored.judge_look(th, [&](value_t seen) {
            return must_wait(th.what, seen) || reductions_.idle.would_come_back(th, seen) ||
                   reductions_.idle.would_come_round(th, seen);
        });
    if (th.what.act == action::load && reductions_.start.may_count(l)) {
        const auto comes_back = [&](value_t seen) {
            return reductions_.idle.would_come_back(th, seen, true);
        };
        reductions_.start.note_look(th, comes_back);
        reductions_.start.check_look(th, comes_back);
    }
    const thread_status was = th.status;
    const bool again = looks_again(was), blocked = was == thread_status::locking;
    th.status = thread_status::ready;
    if (!is_lock && !again && !blocked && !th.asked) judge_round(th);
    if (const thread_status waits = again || blocked || th.asked ? thread_status::ready
                                    : is_lock                    ? reductions_.retried.without_effect(th)
                                                                 : reductions_.await(th);
        waits != thread_status::ready) {
        return stop_in_iteration(th, waits);
    }
    if (th.what.act != action::load && !again && !blocked && !th.asked &&
        reductions_.restored.left_all(th, was == thread_status::waiting) == thread_status::waiting) {
        th.status = thread_status::waiting;
        return true;
    }
    if (th.gives_up != 0) {
        reductions_.counted.skip_iterations(t, execution_.next_stamp(), th.gives_up);
        return true;
    }
    if (handlers > 0) return perform_interrupt(t, handlers);
    if (th.what.arrives && th.what.arrives_in == 0) reductions_.barrier.note_ordered(th);
    const bool at_counter = !th.what.rule;
    const bool in_any_order =
        th.what.arrives_in != 0 && (at_counter || reductions_.barrier.arrives_in_any_order(th));
    const std::uint32_t n = push_node(node_kind::read, t);
    const auto& co = graph_.loc(l).co;
    if (in_any_order)
        nodes_.options.push_back(co.back());
    else
        collect_sources(th, l, again);
    nodes_.take_first(n);
    if (again && co.back() < th.offered) return step_aside(n, was);
    // Under unfair scheduling the read stays: a round is judged by its reads.
    const bool may_loop = !is_lock && th.what.parts < 2 && th.what.frame != 0 && !facts_.limits.unfair;
    if (!add_read(t, co.back(), true, execution_.next_stamp(), n)) return false;
    if (!may_loop || th.pending) return true;
    // The thread is the first that can go on, and stays it: it goes on at once.
    execution_.resume(t);
    write_again(th);
    return keep_or_step_aside(th, n);
}

/// Lets `t`, which has gone on behind a read, make the stores without effect that leave no choice, up to its next request.
void explorer::write_again(thread_state& t) {
    while (reductions_.own.are_known() && t.pending && t.what.act == action::store) {
        const location_id l = races_.location_of(t, t.what);
        if (!reductions_.own.writes_again(t)) return;
        const std::size_t revisits_before = nodes_.revisits.size();
        revisits_.collect_revisits(l, t.id, none, nodes_.revisits);
        const bool leaves_choice = nodes_.revisits.size() != revisits_before;
        nodes_.revisits.resize(revisits_before);
        if (leaves_choice) return;
        races_.check_races(t.id, true);
        ++facts_.result.events;
        add_write(t.id, static_cast<std::uint32_t>(graph_.loc(l).co.size()), execution_.next_stamp());
        execution_.resume(t.id);
    }
}

/// `th` has gone on behind its read at the node `n`. It gives the read up where that ends an iteration without effect, or
/// where an assumption fails behind it.
bool explorer::keep_or_step_aside(thread_state& th, std::uint32_t n) {
    const saved_point& at = execution_.states().at(n);
    const kept_state before{at.state, at.log};
    if (reductions_.assumed.read_in_vain(th, before)) return step_aside(n, thread_status::declining);
    const bool in_vain =
        reductions_.idle.read_in_vain(th, before) || reductions_.retried.read_in_vain(th, before);
    if (!in_vain) return true;
    if (!reductions_.leads_nowhere(th)) return step_aside(n);
    ++facts_.result.pruned;
    return false;
}

bool explorer::add_read(thread_id t, event_id w, bool maximal, std::uint32_t stamp, std::uint32_t node,
                        bool spurious) {
    thread_state& th = program_.thread(t);
    const value_t seen = graph_.at(w).value;
    if (reductions_.commuting.any()) reductions_.commuting.note_read(th, graph_.at(w).location);
    if (spurious && (!th.what.weak || seen != th.what.expected)) return false;
    th.dirty = true;
    th.status = thread_status::ready;
    if (!spurious) judge_round(th, w);
    if (reductions_.stale.notes_values()) reductions_.stale.note_access(graph_.at(w).location, none);
    const bool fails = reductions_.waits_at(th, seen);
    const bool blocked =
        (fails || must_wait(th.what, seen)) && reductions_.blocked.applies_to(graph_.at(w).location);
    const bool consistent = execution_.add_read(t, w, maximal, stamp, node, spurious, {fails, blocked});
    if (consistent && reductions_.own.are_known()) reductions_.own.note_access(th);
    return consistent;
}

bool explorer::add_write(thread_id t, std::uint32_t place, std::uint32_t stamp) {
    thread_state& th = program_.thread(t);
    th.dirty = true;
    if (reductions_.commuting.any()) reductions_.commuting.note_write(th);
    if (reductions_.start.any()) reductions_.start.note_write(th);
    reductions_.blocked.note_write(th, place);
    if (reductions_.undone.attempts(th.what.address))
        reductions_.undone.write_amid_attempts(th, th.what.operand);
    const bool again = reductions_.own.writes_again(th);
    const bool consistent = execution_.add_write(t, place, stamp, again);
    if (consistent && reductions_.own.are_known()) reductions_.own.note_access(th);
    if (consistent && reductions_.stale.notes_values()) {
        const event_id added = graph_.in_thread(t, th.next_index - 1u);
        reductions_.stale.note_access(graph_.at(added).location, added);
    }
    return consistent;
}

/// Takes the read of the topmost node, which only ended an iteration without effect, off the graph again. The thread
/// looks again when the location has a new write, and then only at new ones: what it may read of the old ones
/// are the other ways on from this node. So the read is nothing that another write would have to revisit, and
/// an execution in which the wait ends is not explored up to where it does not.
bool explorer::step_aside(std::uint32_t n, thread_status as) {
    const std::uint32_t from = program_.thread(nodes_[n].thread).waiting_from;
    restore(n);
    thread_state& t = program_.thread(nodes_[n].thread);
    t.status = as;
    t.waiting_from = from;
    t.dirty = true;
    t.offered = static_cast<std::uint32_t>(graph_.size());
    const auto& co = graph_.loc(graph_.find(t.what.address)).co;
    t.offered_places = static_cast<std::uint32_t>(co.size());
    // An older write of the same value would end the iteration in the same way, and leave nothing to wait for.
    const value_t seen = graph_.at(co.back()).value;
    nodes_.drop_options(
        n, [&](event_id w) { return (w & fails_spuriously) == 0 && graph_.at(w).value == seen; });
    return true;
}

bool explorer::perform_write(thread_id t) {
    thread_state& th = program_.thread(t);
    const location_id l = races_.location_of(th, th.what);
    races_.check_races(t, true);
    // Another read-modify-write may have read the same write already. Then this one cannot be added;
    // but that other one may read from it instead, which is a revisit.
    event_id rival = none;
    if (th.what.act == action::write_part) {
        const event_id self = graph_.in_thread(t, th.next_index - std::max<unsigned>(th.what.parts, 1));
        for (event_id r = graph_.at(graph_.at(self).rf).first_reader; r != none; r = graph_.at(r).next_reader)
            if (r != self && graph_.is_exclusive(r)) rival = r;
    }
    const std::size_t options_before = nodes_.options.size(), revisits_before = nodes_.revisits.size();
    if (th.what.act == action::update)
        return add_write(t, static_cast<std::uint32_t>(graph_.loc(l).co.size()), execution_.next_stamp());
    if (rival == none) places(th, l);
    if (may_stay_unwritten(th)) nodes_.options.push_back(stays_unwritten);
    revisits_.collect_revisits(l, t, rival, nodes_.revisits);
    const std::size_t option_count = nodes_.options.size() - options_before;
    const std::size_t revisit_count = nodes_.revisits.size() - revisits_before;
    if (option_count == 1 && revisit_count == 0) {
        const std::uint32_t place = nodes_.options.back();
        nodes_.options.pop_back();
        return take_write(t, place);
    }
    if (option_count + revisit_count == 0) return false;
    const std::uint32_t n = push_node(node_kind::write, t);
    search_node& added = nodes_[n];
    added.options_begin = added.option = static_cast<std::uint32_t>(options_before);
    added.revisits_begin = added.revisit = static_cast<std::uint32_t>(revisits_before);
    if (option_count == 0) return false; // the search comes back here for the revisits
    ++added.option;
    return take_write(t, nodes_.options[options_before]);
}

/// Adds the pending write of `t` at `place`, or leaves its thread there.
bool explorer::take_write(thread_id t, std::uint32_t place) {
    if (place != stays_unwritten) return add_write(t, place, execution_.next_stamp());
    thread_state& th = program_.thread(t);
    th.dirty = true;
    th.pending = false;
    th.status = thread_status::assumed;
    graph_.at(graph_.in_thread(t, th.next_index - 1u)).weak = true;
    return true;
}

/// Whether a read-modify-write in pieces, of which `t` is about to write the first, may have to be left unwritten: because
/// another one has read the same write, or will have. All the same its last piece may be read from a write to come, so that
/// it fails, or the other one is revisited: that is explored from here.
bool explorer::may_stay_unwritten(const thread_state& t) const {
    if (t.what.act != action::write_part || t.what.parts < 2 || t.what.part != 0) return false;
    const event_id last = graph_.in_thread(t.id, t.next_index - 1u);
    return graph_.co_last(graph_.at(last).rf) && (t.what.may_fail || graph_.has_rival(last));
}

/// Adds the places that the pending write of `t` can have to the options. @return how many
std::uint32_t explorer::places(const thread_state& t, location_id l) {
    const std::size_t before = nodes_.options.size();
    execution_.places(t.id, l, nodes_.options);
    if (t.alike)
        nodes_.drop_options_from(
            before, [&](std::uint32_t place) { return !execution_.alike().may_place(t, l, place); });
    return static_cast<std::uint32_t>(nodes_.options.size() - before);
}

bool explorer::perform_choice(thread_id t) {
    const std::uint32_t n = push_node(node_kind::choice, t);
    const request& what = program_.thread(t).what;
    if (what.object) {
        nodes_.options.push_back(0);
        for (const std::uint32_t block : runtime_.heap().reusable(program_.thread(t), what.address,
                                                                  static_cast<std::size_t>(what.operand)))
            nodes_.options.push_back(block);
    } else {
        for (std::uint32_t i = 0; i < what.operand; ++i) nodes_.options.push_back(i);
    }
    nodes_.take_first(n);
    make_choice(n, 0);
    return true;
}

void explorer::make_choice(std::uint32_t n, std::uint32_t chosen) {
    program_.thread(nodes_[n].thread).dirty = true; // a walk may go back before the thread has run
    execution_.add_other(nodes_[n].thread, execution_.next_stamp(), chosen);
    graph_.at(static_cast<event_id>(graph_.size() - 1)).node = n;
}

bool explorer::perform_sleep(thread_id t) {
    thread_state& th = program_.thread(t);
    th.status = thread_status::sleeping;
    th.waiting_from = th.next_index - 1u;
    if (graph_.at(graph_.in_thread(t, th.waiting_from)).maximal ||
        !waiting_threads(program_, graph_).will_wake(th))
        return true;
    ++facts_.result.pruned; // as in perform_read(): no continuation is complete, and this one is woken
    return false;
}

/// Before the pending request of `t`: none of the `n` handlers, or one of them.
bool explorer::perform_interrupt(thread_id t, unsigned n) {
    const std::uint32_t added = push_node(node_kind::interrupt, t);
    for (std::uint32_t i = 0; i <= n; ++i) nodes_.options.push_back(i);
    nodes_.take_first(added);
    execution_.add_interrupt(t, execution_.next_stamp(), 0);
    return true;
}

} // namespace ringproof::verify
