// SPDX-License-Identifier: Apache-2.0
// Single executions from begin to end, thread by thread, without any node of the search: each read takes a
// write that is there, the latest unless the scheduler says otherwise.

#include "scheduler.hpp"

#include "../program/request_kinds.hpp"
#include "priorities.hpp"

namespace ringproof::verify {

/// Whether `t` can go on in an execution that is not to be revisited: threads that wait look again as soon as
/// what they saw has changed.
bool scheduler::can_be_scheduled(const thread_state& t) const {
    const auto changed = [&](event_id read) {
        return graph_.at(read).is_read() && !graph_.co_last(graph_.at(read).rf);
    };
    switch (t.status) {
    case thread_status::waiting:
        for (unsigned i = t.waiting_from; i < t.next_index; ++i)
            if (changed(graph_.in_thread(t.id, i))) return true;
        return false;
    case thread_status::sleeping:
        for (auto id = static_cast<event_id>(t.offered); id < graph_.size(); ++id)
            if (graph_.at(id).kind == event_kind::wake && graph_.at(id).frame == t.what.address) return true;
        return false;
    case thread_status::ready:
        return explorer_.enabled(t) && !asks_for_taken_lock(t, graph_);
    case thread_status::locking:
        return explorer_.enabled(t) && !explorer_.reductions().blocked.is_taken(t);
    default:
        return explorer_.enabled(t);
    }
}

/// One execution. Threads that are stuck at its end are left as the search would leave them.
void scheduler::run_scheduled() {
    constexpr unsigned unfair = 200; // steps of one thread, while others can go on
    std::vector<thread_id> runnable;
    thread_id last = no_thread;
    unsigned in_a_row = 0;
    order_.begin();
    for (std::uint64_t steps = 0;; ++steps) {
        if (explorer_.walk_is_over() || steps > 8ull * explorer_.facts().limits.execution_events) return;
        runnable.clear();
        for (thread_id t = 0; t < program_.thread_count(); ++t)
            if (execution_.writing() == no_thread ? can_be_scheduled(program_.thread(t))
                                                  : execution_.writing() == t)
                runnable.push_back(t);
        if (runnable.empty()) break;
        const thread_id t = order_.next(runnable);
        in_a_row = t == last ? in_a_row + 1 : 0;
        last = t;
        if (in_a_row > unfair && runnable.size() > 1) {
            order_.demote(t);
            continue;
        }
        if (program_.thread(t).pending)
            perform_scheduled(t);
        else
            execution_.resume(t);
    }
    // They see what they wait for, so that the end is explained.
    for (thread_id t = 0; t < program_.thread_count(); ++t) {
        const thread_state& th = program_.thread(t);
        const bool locks = th.status == thread_status::ready && th.pending && th.what.act == action::lock;
        if (!locks && !reads_again(th, graph_)) continue;
        const location_id l = explorer_.races().location_of(th, th.what);
        explorer_.add_read(t, graph_.loc(l).co.back(), true, execution_.next_stamp(), none);
    }
    explorer_.finish_execution();
}

/// Asks once whether a handler comes in before what `t` is about to do: at a change, one of them.
bool scheduler::may_interrupt(thread_id t) {
    const unsigned due = handlers_due(program_.thread(t));
    if (due == 0) return false;
    execution_.add_interrupt(t, execution_.next_stamp(), order_.change_here() ? 1 + order_.below(due) : 0);
    return true;
}

void scheduler::perform_scheduled(thread_id t) {
    thread_state& th = program_.thread(t);
    th.dirty = true;
    if (kind_of(th.what.act).reads) return schedule_read(t);
    if (may_interrupt(t)) return;
    switch (th.what.act) {
    case action::store:
    case action::unlock:
        if (order_.change_here()) {
            order_.demote(t);
            return;
        }
        [[fallthrough]];
    case action::write_part: {
        const location_id l = explorer_.races().location_of(th, th.what);
        explorer_.races().check_races(t, true);
        explorer_.add_write(t, static_cast<std::uint32_t>(graph_.loc(l).co.size()), execution_.next_stamp());
        return;
    }
    case action::choose:
        if (th.what.object) {
            const std::vector<std::uint32_t> blocks = explorer_.calls().heap().reusable(
                th, th.what.address, static_cast<std::size_t>(th.what.operand));
            const auto chosen = order_.below(blocks.size() + 1);
            execution_.add_other(t, execution_.next_stamp(), chosen == 0 ? 0 : blocks[chosen - 1]);
        } else {
            execution_.add_other(t, execution_.next_stamp(),
                                 order_.below(static_cast<std::uint64_t>(th.what.operand)));
        }
        return;
    case action::sleep:
        if (th.status == thread_status::sleeping) { // and was woken
            th.status = thread_status::ready;
            th.pending = false;
            return;
        }
        th.status = thread_status::sleeping;
        th.waiting_from = th.next_index - 1u;
        th.offered = static_cast<std::uint32_t>(graph_.size());
        return;
    case action::block:
        th.status = thread_status::assumed;
        return;
    default:
        explorer_.perform(t);
    }
}

void scheduler::schedule_read(thread_id t) {
    thread_state& th = program_.thread(t);
    const action act = th.what.act;
    const location_id l = explorer_.races().location_of(th, th.what);
    explorer_.races().check_races(t, act == action::modify);
    th.status = thread_status::ready;
    const std::vector<event_id>& co = graph_.loc(l).co;
    const event_id latest = co.back();
    // Has it just done the same? Then it may be waiting.
    const event* done = th.next_index > 1 ? &graph_.at(graph_.in_thread(t, th.next_index - 1u)) : nullptr;
    if (!th.asked && (act == action::load || act == action::compare)) {
        if (done && done->site == th.what.site && done->rf == latest &&
            explorer_.reductions().idle.would_read_in_vain(th)) {
            th.status = thread_status::awaiting;
            th.offered_places = static_cast<std::uint32_t>(co.size());
            return;
        }
        if (explorer_.reductions().await(th) == thread_status::waiting) {
            th.status = thread_status::waiting;
            if (!can_be_scheduled(th)) return; // otherwise what it saw is old: it looks again at once
            th.status = thread_status::ready;
        }
        if (th.gives_up != 0) {
            explorer_.reductions().counted.skip_iterations(t, execution_.next_stamp(), th.gives_up);
            return;
        }
    }
    if (may_interrupt(t)) return;
    if (order_.change_here()) {
        if (act == action::compare && execution_.may_fail(th, graph_.at(latest).value) &&
            order_.below(2) == 0) {
            explorer_.add_read(t, latest, true, execution_.next_stamp(), none, true);
            return;
        }
        const std::uint32_t first = model::first_coherent<thread_clock>(graph_, l, th.clocks.hb());
        if ((act != action::load && act != action::compare) || first + 1 >= co.size()) {
            order_.demote(t);
            return;
        }
        const event_id older = co[first + order_.below(co.size() - 1 - first)];
        const thread_state before = th;
        if (!exclusive(th.what, graph_.at(older).value)) {
            if (explorer_.add_read(t, older, false, execution_.next_stamp(), none)) return;
            graph_.pop();
            th = before;
        }
    }
    explorer_.add_read(t, latest, true, execution_.next_stamp(), none);
}

exploration_result scheduler::schedule(const std::function<void()>& body, const explorer::walk_end& ended) {
    return explorer_.walk_through(
        body, [&] { run_scheduled(); }, ended);
}

} // namespace ringproof::verify
