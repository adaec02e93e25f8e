// SPDX-License-Identifier: Apache-2.0
// One execution, written down as its steps, and run again from them.

#include "../execution/steps.hpp"
#include "../program/request_kinds.hpp"
#include "explorer.hpp"

#include <string>

namespace ringproof::verify {

namespace {

/// What a step says of the place of `e`, or of what was chosen; `none_said` where there is neither.
std::uint32_t place_in_step(const event& e, std::uint32_t none_said) {
    switch (e.kind) {
    case event_kind::write:
        return e.update ? update_step : e.co_index;
    case event_kind::choice:
        return static_cast<std::uint32_t>(e.value) + (e.locked ? skip_step : step_of(e.weak, e.word));
    case event_kind::interrupt:
        return e.co_index;
    default:
        return none_said;
    }
}

} // namespace

std::vector<step> explorer::steps() const {
    std::vector<step> all;
    // A replay numbers threads as it meets them, which the search may have done in another order.
    thread_id number[max_threads] = {}, met = 0;
    std::uint16_t children[max_threads] = {};
    // Reads that saw a lock taken are left out, but for those that a thread is left with.
    std::vector<std::uint32_t> index(graph_.size());
    std::uint32_t so_far[max_threads] = {};
    for (event_id id = 0; id < graph_.size(); ++id) {
        const event& e = graph_.at(id);
        if (e.kind == event_kind::init) continue;
        const thread_state& of = program_.thread(e.thread);
        const bool last = e.index + 1u == of.next_index;
        if (e.blocked && (!last || is_look(of.what.act))) continue;
        // A failed attempt that would have been taken back: a replay does not know it for one.
        if (last && of.status == thread_status::locking && is_look(of.what.act)) continue;
        index[id] = ++so_far[e.thread];
        step s;
        s.thread = number[e.thread];
        if (e.kind == event_kind::create) {
            const thread_id child = runtime_.names().find(e.thread, children[e.thread]++);
            if (child != 0) number[child] = ++met;
        }
        if (e.is_read()) {
            const thread_id from = graph_.at(e.rf).thread;
            s.rf_thread = from == init_thread ? from : number[from];
            s.rf_index = index[e.rf];
        }
        s.spurious = e.spurious;
        s.co_index = place_in_step(e, s.co_index);
        all.push_back(s);
    }
    return all;
}

exploration_result explorer::replay(const std::function<void()>& body, const std::vector<step>& fixed) {
    start(body);
    facts_.tracing = true;
    saved_state initial = program_.save();
    for (bool again = true; again;) {
        again = false;
        try {
            run_fixed(fixed);
        } catch (const refuted& by) {
            ends_search(by);
        } catch (const anew&) {
            begin_anew(initial);
            recorder_.forget();
            again = true;
        }
    }
    program_.restore(initial);
    return facts_.result;
}

namespace {

[[noreturn]] void refuse_token(const std::string& why, thread_id t = 0) {
    throw refuted{{.kind = failure_kind::nondeterminism,
                   .message = "the token does not fit this program" + why,
                   .thread = t}};
}

} // namespace

/// The write that the read of `s`, of location `l`, reads from.
event_id explorer::source_of(const step& s, location_id l) const {
    if (s.rf_thread == init_thread) return graph_.loc(l).init;
    if (s.rf_thread >= program_.thread_count() || s.rf_index == 0 ||
        s.rf_index > graph_.thread_size(s.rf_thread))
        refuse_token(": a read from an event that is not there");
    return graph_.in_thread(s.rf_thread, s.rf_index);
}

bool explorer::replay_read(const step& s, const thread_state& t) {
    const location_id l = races_.location_of(t, t.what);
    const event_id w = source_of(s, l);
    races_.check_races(s.thread, false);
    if (graph_.at(w).location != l || !graph_.at(w).is_write()) return false;
    // What a loop does is told from the states before its reads.
    const std::uint32_t n = push_node(node_kind::read, s.thread);
    return add_read(s.thread, w, true, execution_.next_stamp(), n, s.spurious);
}

bool explorer::replay_write(const step& s, const thread_state& t) {
    races_.check_races(s.thread, true);
    const location_id l = races_.location_of(t, t.what);
    return s.co_index != none && s.co_index >= 1 && s.co_index <= graph_.loc(l).co.size() &&
           add_write(s.thread, s.co_index, execution_.next_stamp());
}

bool explorer::replay_update(const thread_state& t) {
    const location_id l = races_.location_of(t, t.what);
    races_.check_races(t.id, true);
    return add_write(t.id, static_cast<std::uint32_t>(graph_.loc(l).co.size()), execution_.next_stamp());
}

/// Lets the thread of `s` come to its next request, and performs it. @return false where the step does not fit it
bool explorer::replay_step(const step& s) {
    thread_state& t = program_.thread(s.thread);
    const bool decides = s.co_index != none && (s.co_index & interrupt_step) != 0;
    facts_.expected_place = decides ? (s.co_index & ~interrupt_step) >> 4 : 0;
    if (s.co_index != none && !decides) facts_.expected_choice = choice_of(s.co_index);
    until_pending(s.thread);
    facts_.expected_choice = own_choice::not_one;
    if (const unsigned due = handlers_due(t); due > 0) {
        const std::uint32_t chosen = s.co_index & 0xf;
        if (!decides || chosen > due) return false;
        execution_.add_interrupt(s.thread, execution_.next_stamp(), chosen);
        return true;
    }
    const action act = t.what.act;
    const bool looks = is_look(act);
    if (looks && s.co_index >= skip_step && s.co_index < reuse_step) {
        reductions_.counted.skip_iterations(s.thread, execution_.next_stamp(), s.co_index - skip_step);
        return true;
    }
    if (s.co_index == update_step) {
        if (act != action::modify) return false;
        t.what.act = action::update;
        return replay_update(t);
    }
    if (reductions_.start.any()) reductions_.start.before(t);
    if (kind_of(act).reads) return replay_read(s, t);
    if (kind_of(act).writes) return replay_write(s, t);
    if (act != action::choose) return perform(s.thread);
    const std::uint32_t chosen = s.co_index - step_of(t.what.weak, t.what.word);
    if (!t.what.object && chosen >= t.what.operand) return false;
    const std::uint32_t n = push_node(node_kind::choice, s.thread);
    execution_.add_other(s.thread, execution_.next_stamp(), chosen);
    graph_.at(static_cast<event_id>(graph_.size() - 1)).node = n;
    return true;
}

/// What thread `t` runs into behind the last step: an access that races, or a loop that repeats, shows before it
/// becomes an event.
void explorer::look_ahead(thread_id t) {
    thread_state& th = program_.thread(t);
    const action act = th.what.act;
    const bool looks = is_look(act);
    if (looks || act == action::store) {
        races_.location_of(th, th.what);
        races_.check_races(t, act != action::load);
    }
    if (looks || act == action::try_lock) judge_all_rounds(th);
    if (looks) {
        th.status = reductions_.await(th);
        if (th.status == thread_status::ready) th.waiting_from = th.next_index;
        if (th.status == thread_status::ready &&
            (reductions_.idle.would_read_in_vain(th) || reductions_.undone.would_be_undone(th))) {
            th.status = thread_status::awaiting;
            th.offered_places =
                static_cast<std::uint32_t>(graph_.loc(graph_.find(th.what.address)).co.size());
        }
    }
    if (kind_of(act).reads && th.status == thread_status::ready &&
        reductions_.restored.left_all(th, true) == thread_status::waiting)
        th.status = thread_status::waiting;
    if (act == action::fail || act == action::plain_write || act == action::sleep) perform(t);
}

/// Runs the given events in the given order; after them, every thread up to its next request, so
/// that what the last one runs into is seen.
void explorer::run_fixed(const std::vector<step>& fixed) {
    for (const step& s : fixed) {
        if (s.thread >= program_.thread_count() || program_.thread(s.thread).status != thread_status::ready)
            refuse_token(": thread " + std::to_string(s.thread) + " cannot go on", s.thread);
        if (!replay_step(s)) refuse_token(" under this model", s.thread);
    }
    facts_.expected_place = 0;
    const auto ready = [&](thread_id t) { return program_.thread(t).status == thread_status::ready; };
    for (thread_id t = 0; t < program_.thread_count(); ++t)
        if (ready(t)) until_pending(t);
    for (thread_id t = 0; t < program_.thread_count(); ++t)
        if (ready(t) && program_.thread(t).pending) look_ahead(t);
    if (next_thread() == no_thread) finish_execution();
}

} // namespace ringproof::verify
