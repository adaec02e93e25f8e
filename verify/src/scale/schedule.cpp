// SPDX-License-Identifier: Apache-2.0
// Single executions from begin to end, thread by thread, without any node of the search: each read takes a
// write that is there, the latest unless the scheduler says otherwise.

#include "../explore/explorer.hpp"
#include "../explore/requests.hpp"
#include "priorities.hpp"

namespace ringproof::verify {

/// Whether `t` can go on in an execution that is not to be revisited: threads that wait look again as soon as
/// what they saw has changed.
bool explorer::can_be_scheduled(const thread_state& t) const {
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
        if (t.pending && t.what.act == action::lock)
            if (const location_id l = graph_.find(t.what.address); l != none)
                return !must_wait(t.what, graph_.at(graph_.loc(l).co.back()).value);
        return enabled(t);
    default:
        return enabled(t);
    }
}

/// One execution. Threads that are stuck at its end are left as the search would leave them.
void explorer::run_scheduled(priorities& order) {
    constexpr unsigned unfair = 200; // steps of one thread, while others can go on
    std::vector<thread_id> runnable;
    thread_id last = none16;
    unsigned in_a_row = 0;
    order.begin();
    for (std::uint64_t steps = 0;; ++steps) {
        if (walk_is_over() || steps > 8ull * limits_.execution_events) return;
        runnable.clear();
        for (thread_id t = 0; t < thread_count_; ++t)
            if (writing_ == none16 ? can_be_scheduled(threads_[t]) : writing_ == t) runnable.push_back(t);
        if (runnable.empty()) break;
        const thread_id t = order.next(runnable);
        in_a_row = t == last ? in_a_row + 1 : 0;
        last = t;
        if (in_a_row > unfair && runnable.size() > 1) {
            order.demote(t);
            continue;
        }
        if (threads_[t].pending)
            perform_scheduled(t, order);
        else
            resume(t);
    }
    for (thread_id t = 0; t < thread_count_; ++t) // sees what it waits for, so that the end is explained
        if (threads_[t].status == thread_status::ready && threads_[t].pending &&
            threads_[t].what.act == action::lock)
            add_read(t, graph_.loc(location_of(threads_[t], threads_[t].what)).co.back(), true, ++stamp_,
                     none);
    finish_execution();
}

/// Asks once whether a handler comes in before what `t` is about to do: at a change, one of them.
bool explorer::may_interrupt(thread_id t, priorities& order) {
    const unsigned due = handlers_due(threads_[t]);
    if (due == 0) return false;
    add_interrupt(t, ++stamp_, order.change_here() ? 1 + order.below(due) : 0);
    return true;
}

void explorer::perform_scheduled(thread_id t, priorities& order) {
    thread_state& th = threads_[t];
    th.dirty = true;
    switch (th.what.act) {
    case action::load:
    case action::modify:
    case action::compare:
    case action::lock:
    case action::try_lock:
        schedule_read(t, order);
        return;
    default:
        if (may_interrupt(t, order)) return;
    }
    switch (th.what.act) {
    case action::store:
    case action::unlock:
        if (order.change_here()) {
            order.demote(t);
            return;
        }
        [[fallthrough]];
    case action::write_part: {
        const location_id l = location_of(th, th.what);
        check_races(t, true);
        add_write(t, static_cast<std::uint32_t>(graph_.loc(l).co.size()), ++stamp_);
        return;
    }
    case action::choose:
        if (th.what.object) {
            const std::vector<std::uint32_t> blocks =
                reusable(th, th.what.address, static_cast<std::size_t>(th.what.operand));
            const auto chosen = order.below(blocks.size() + 1);
            add_other(t, ++stamp_, chosen == 0 ? 0 : blocks[chosen - 1]);
        } else {
            add_other(t, ++stamp_, order.below(static_cast<std::uint64_t>(th.what.operand)));
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
        perform(t);
    }
}

void explorer::schedule_read(thread_id t, priorities& order) {
    thread_state& th = threads_[t];
    const action act = th.what.act;
    const location_id l = location_of(th, th.what);
    check_races(t, act == action::modify);
    th.status = thread_status::ready;
    const std::vector<event_id>& co = graph_.loc(l).co;
    const event_id latest = co.back();
    // Has it just done the same? Then it may be waiting.
    const event* done = th.next_index > 1 ? &graph_.at(graph_.in_thread(t, th.next_index - 1u)) : nullptr;
    if (!th.asked && (act == action::load || act == action::compare)) {
        if (done && done->site == th.what.site && done->rf == latest && would_come_back(th)) {
            th.status = thread_status::awaiting;
            th.offered_places = static_cast<std::uint32_t>(co.size());
            return;
        }
        if (await(th) == thread_status::waiting) {
            th.status = thread_status::waiting;
            if (!can_be_scheduled(th)) return; // otherwise what it saw is old: it looks again at once
            th.status = thread_status::ready;
        }
        if (th.gives_up != 0) {
            skip_iterations(t, ++stamp_, th.gives_up);
            return;
        }
    }
    if (may_interrupt(t, order)) return;
    if (order.change_here()) {
        if (act == action::compare && may_fail(th, graph_.at(latest).value) && order.below(2) == 0) {
            add_read(t, latest, true, ++stamp_, none, true);
            return;
        }
        const std::uint32_t first = model::first_coherent<thread_clock>(graph_, l, th.clocks.hb());
        if ((act != action::load && act != action::compare) || first + 1 >= co.size()) {
            order.demote(t);
            return;
        }
        const event_id older = co[first + order.below(co.size() - 1 - first)];
        const thread_state before = th;
        if (!exclusive(th.what, graph_.at(older).value)) {
            if (add_read(t, older, false, ++stamp_, none)) return;
            graph_.pop();
            th = before;
        }
    }
    add_read(t, latest, true, ++stamp_, none);
}

exploration_result explorer::schedule(const std::function<void()>& body, priorities& order,
                                      const walk_end& ended) {
    return walk_through(
        body, [&] { run_scheduled(order); }, ended);
}

} // namespace ringproof::verify
