// SPDX-License-Identifier: Apache-2.0
// Waits that end although nobody wakes their thread. At a wait there is a choice; if it ends early, the thread lets go
// of the mutex, takes it again, and goes on. (Whether it was among those that wait meanwhile makes no difference: who
// is chosen by a signal is woken by it.)
//
// In a loop that looks again, nobody can tell. Let l be the read by which the thread took the mutex before the wait,
// and l' that by which it took it again. When it has written nothing since l, and stands behind l' where it would
// stand had it taken the mutex for the first time at l', then the execution without what lies between, in which it
// comes later, does the same from here on: nobody knows that it had the mutex earlier, and fewer events order less.
// That is tried out, as in retried_iterations.cpp, and the execution is left to its twin: the thread stops, and goes on only when a
// later write revisits l'. Likewise when it comes to the same wait again in the same state, having only locked and
// unlocked on the way.

#include "vain_wakes.hpp"

#include <algorithm>

namespace ringproof::verify {

/// Whether the events of `t` from the first up to `until` are nothing but looks, and mutexes taken and let go of again.
bool vain_wakes::only_locked(const thread_state& t, unsigned from, unsigned until) const {
    std::vector<std::pair<location_id, int>> held;
    for (unsigned i = from; i < until; ++i) {
        const event& e = graph_.at(graph_.in_thread(t.id, i));
        if ((e.is_read() && (e.lock || !e.rmw)) || (e.kind == event_kind::choice && e.weak)) continue;
        if (e.kind != event_kind::write || !e.lock) return false;
        const auto at =
            std::find_if(held.begin(), held.end(), [&](auto& h) { return h.first == e.location; });
        const int change = e.rmw ? 1 : -1;
        if (at == held.end())
            held.emplace_back(e.location, change);
        else
            at->second += change;
    }
    return std::all_of(held.begin(), held.end(), [](auto& h) { return h.second == 0; });
}

/// Whether `t`, whose wait ended early by the choice `early`, is back at it in the same state, having only taken
/// mutexes and let go of them.
bool vain_wakes::waits_again(const thread_state& t, const event& early) {
    if (t.what.act != action::choose || !t.what.weak || t.what.site != early.site || early.node == none ||
        t.hook_frame != early.frame || early.frame == 0 || !only_locked(t, early.index, t.next_index))
        return false;
    return same_state_as(t, early) && !has_written(t, early);
}

bool vain_wakes::woke_in_vain(thread_state& t) {
    if (facts_.interrupts || facts_.tracing || !facts_.limits.reduce.vain_wake ||
        (t.hook_frame == 0 && t.what.frame == 0))
        return false;
    const auto at = [&](unsigned i) -> const event& { return graph_.at(graph_.in_thread(t.id, i)); };
    if (waits_again(t, at(t.early_wake))) return true;
    // It has just taken a mutex, after the choice.
    if (t.next_index < t.early_wake + 4u) return false;
    const unsigned last = t.next_index - 2u;
    const event& again = at(last);
    if (!again.is_read() || !again.lock || !again.rmw) return false;
    unsigned first = t.early_wake;
    while (--first > 0 && !(at(first).is_read() && at(first).rmw && at(first).location == again.location)) {
    }
    if (first == 0 || at(first).node == none || !only_locked(t, first, last)) return false;
    const event& from = at(first);
    if (has_written(t, from)) return false;
    const thread_state now = t;
    const memory_range own = program_.own_stack(t);
    stack_copy_.take(own, t);
    const saved_state before = state_before(from);
    return execution_.try_out([&](const saved_state& here) {
        program_.restore_one(before, t.id);
        if (t.what.act != action::lock) return false;
        execution_.go_on_with(t, from.value);
        return t.pending && same_request(t.what, now.what) && t.hook_frame == now.hook_frame &&
               same_beside_the_stack(t, now) && same_as_taken(t, own) && program_.images().same_heaps(here) &&
               program_.same_memory(here, t) && program_.same_stacks(here, t);
    });
}

} // namespace ringproof::verify
