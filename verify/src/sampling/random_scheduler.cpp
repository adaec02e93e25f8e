// SPDX-License-Identifier: Apache-2.0
#include "random_scheduler.hpp"

#include <algorithm>

namespace ringproof::verify {

void random_scheduler::begin() {
    std::fill(std::begin(priority_), std::end(priority_), 0);
    lowest_ = 0;
}

thread_id random_scheduler::next(const std::vector<thread_id>& runnable) {
    // What no other thread sees needs no order among what others do.
    for (const thread_id t : runnable)
        if (!program_.thread(t).pending) return t;
    for (const thread_id t : runnable)
        if (priority_[t] == 0) priority_[t] = draw();
    return *std::max_element(runnable.begin(), runnable.end(),
                             [&](thread_id a, thread_id b) { return priority_[a] < priority_[b]; });
}

/// Calls works(way) for one way after the other, until it returns true.
template <class Function>
void random_scheduler::try_in_any_order(std::vector<event_id>& ways, Function works) {
    while (!ways.empty()) {
        std::swap(ways[below(ways.size())], ways.back());
        const event_id way = ways.back();
        ways.pop_back();
        if (works(way)) return;
    }
}

/// @return whether works(); otherwise `t` and the graph are as they were
template <class Function>
bool random_scheduler::take_back_unless(thread_id t, Function works) {
    thread_state& th = program_.thread(t);
    const thread_state before = th;
    const std::size_t size = graph_.size();
    if (works()) return true;
    graph_.pop_to(size);
    th = before;
    execution_.gave_up_writing();
    return false;
}

void random_scheduler::add_read(thread_id t, location_id l) {
    const thread_state& th = program_.thread(t);
    priority_[t] = 0;
    const std::vector<event_id>& co = graph_.loc(l).co;
    std::vector<event_id> ways;
    for (std::size_t i = model::first_coherent<thread_clock>(graph_, l, th.clocks.hb()); i < co.size(); ++i) {
        const value_t seen = graph_.at(co[i]).value;
        // A lock that sees an old "taken" can neither be had nor wait for what is there already.
        if (i + 1 < co.size() && must_wait(th.what, seen)) continue;
        ways.push_back(co[i]);
        if (execution_.may_fail(th, seen)) ways.push_back(co[i] | fails_spuriously);
    }
    const std::uint32_t state = execution_.keep_state_of(th);
    try_in_any_order(ways, [&](event_id way) { return read_from(t, way, state); });
}

bool random_scheduler::read_from(thread_id t, event_id way, std::uint32_t state) {
    const event_id w = way & ~fails_spuriously;
    const bool fails = (way & fails_spuriously) != 0, latest = graph_.co_last(w);
    const thread_state& th = program_.thread(t);
    const auto add = [&] { return explorer_.add_read(t, w, latest, execution_.next_stamp(), state, fails); };
    if (!fails && !latest && exclusive(th.what, graph_.at(w).value)) {
        // A read-modify-write in the midst of coherence order: would there be a place for what it writes?
        for (event_id r = graph_.at(w).first_reader; r != none; r = graph_.at(r).next_reader)
            if (graph_.at(r).rmw) return false;
        bool fits = false;
        take_back_unless(t, [&] {
            fits = add() && explorer_.add_write(t, graph_.co_place(w) + 1, execution_.next_stamp());
            return false;
        });
        if (!fits) return false;
    }
    return take_back_unless(t, add);
}

void random_scheduler::add_write(thread_id t, location_id l) {
    priority_[t] = 0;
    explorer_.races().check_races(t, true);
    std::vector<event_id> ways;
    execution_.places(t, l, ways);
    try_in_any_order(ways, [&](event_id place) {
        return take_back_unless(t, [&] { return explorer_.add_write(t, place, execution_.next_stamp()); });
    });
}

} // namespace ringproof::verify
