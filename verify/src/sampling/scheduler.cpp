// SPDX-License-Identifier: Apache-2.0
// Single executions from begin to end, thread by thread, without any node of the search.

#include "scheduler.hpp"

#include "../program/request_kinds.hpp"

namespace ringproof::verify {

/// Whether `t` can go on in an execution that is not to be revisited: threads that wait look again as soon as
/// what they saw has changed.
bool scheduler::can_be_scheduled(const thread_state& t) const {
    // By value: a test-and-set that found what it left there has written, but nothing has changed.
    const auto changed = [&](event_id e) {
        const event& read = graph_.at(e);
        return read.is_read() && graph_.at(graph_.loc(read.location).co.back()).value != read.value;
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
    begin();
    for (std::uint64_t steps = 0;; ++steps) {
        if (explorer_.walk_is_over() || steps > 8ull * explorer_.facts().limits.execution_events) return;
        runnable.clear();
        for (thread_id t = 0; t < program_.thread_count(); ++t)
            if (execution_.writing() == no_thread ? can_be_scheduled(program_.thread(t))
                                                  : execution_.writing() == t)
                runnable.push_back(t);
        if (runnable.empty()) break;
        const thread_id t = next(runnable);
        in_a_row = t == last ? in_a_row + 1 : 0;
        last = t;
        if (in_a_row > unfair && runnable.size() > 1 && program_.thread(t).pending) {
            demote(t);
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

/// Asks once whether a handler comes in before what `t` is about to do.
bool scheduler::may_interrupt(thread_id t) {
    const unsigned due = handlers_due(program_.thread(t));
    if (due == 0) return false;
    execution_.add_interrupt(t, execution_.next_stamp(), handler_before(t, due));
    return true;
}

void scheduler::perform_scheduled(thread_id t) {
    thread_state& th = program_.thread(t);
    th.dirty = true;
    const request_kind& kind = kind_of(th.what.act);
    if (kind.reads) {
        const location_id l = explorer_.races().location_of(th, th.what);
        explorer_.races().check_races(t, th.what.act == action::modify);
        if (!waits(th, l) && !may_interrupt(t)) add_read(t, l);
        return;
    }
    if (may_interrupt(t)) return;
    if (kind.writes) return add_write(t, explorer_.races().location_of(th, th.what));
    switch (th.what.act) {
    case action::choose:
        return schedule_choice(t);
    case action::sleep:
        return schedule_sleep(th);
    case action::block:
        th.status = thread_status::assumed;
        return;
    case action::end: // with what it does in vain: no other execution has to be the same
        return execution_.add_other(t, execution_.next_stamp());
    default:
        explorer_.perform(t);
    }
}

void scheduler::schedule_choice(thread_id t) {
    thread_state& th = program_.thread(t);
    if (!th.what.object)
        return execution_.add_other(t, execution_.next_stamp(),
                                    below(static_cast<std::uint64_t>(th.what.operand)));
    const std::vector<std::uint32_t> blocks =
        explorer_.calls().heap().reusable(th, th.what.address, static_cast<std::size_t>(th.what.operand));
    const auto chosen = below(blocks.size() + 1);
    execution_.add_other(t, execution_.next_stamp(), chosen == 0 ? 0 : blocks[chosen - 1]);
}

void scheduler::schedule_sleep(thread_state& t) {
    if (t.status == thread_status::sleeping) { // and was woken
        t.status = thread_status::ready;
        t.pending = false;
        return;
    }
    t.status = thread_status::sleeping;
    t.waiting_from = t.next_index - 1u;
    t.offered = static_cast<std::uint32_t>(graph_.size());
}

/// Whether `t`, which is about to read `l`, does not: it waits, or has been told of what it would do again and again.
bool scheduler::waits(thread_state& t, location_id l) {
    const action act = t.what.act;
    t.status = thread_status::ready;
    if (t.asked || (act != action::load && act != action::compare)) return false;
    // Has it just done the same? Then it may be waiting.
    const std::vector<event_id>& co = graph_.loc(l).co;
    const event* done = t.next_index > 1 ? &graph_.at(graph_.in_thread(t.id, t.next_index - 1u)) : nullptr;
    if (done && done->site == t.what.site && done->rf == co.back() &&
        explorer_.reductions().idle.would_read_in_vain(t)) {
        t.status = thread_status::awaiting;
        t.offered_places = static_cast<std::uint32_t>(co.size());
        return true;
    }
    if (explorer_.reductions().await(t) == thread_status::waiting) {
        t.status = thread_status::waiting;
        if (!can_be_scheduled(t)) return true; // otherwise what it saw is old: it looks again at once
        t.status = thread_status::ready;
    }
    if (t.gives_up == 0) return false;
    explorer_.reductions().counted.skip_iterations(t.id, execution_.next_stamp(), t.gives_up);
    return true;
}

exploration_result scheduler::schedule(const std::function<void()>& body, const explorer::walk_end& ended) {
    explorer_.races().mixed().forbid("in random executions");
    return explorer_.walk_through(
        body,
        [&] {
            run_scheduled();
            execution_.drop_kept_states();
        },
        ended);
}

} // namespace ringproof::verify
