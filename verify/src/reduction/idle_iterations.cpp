// SPDX-License-Identifier: Apache-2.0
// Waiting loops: telling, from the running program, that an iteration of a loop had no effect. Such iterations
// are not explored: the thread stops, and goes on when a later write revisits something that it read.

#include "idle_iterations.hpp"

#include "../program/rmw.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace ringproof::verify {

namespace {
constexpr unsigned latest_looks = 16; // that a look is compared with
}

/// Index of the last read before event `before` that `t` made as it would make its pending one: where it stands, and of
/// the same location. @return 0 when there is none
unsigned idle_iterations::last_look(const thread_state& t, unsigned before) const {
    unsigned i = last_iteration(t, before);
    while (i != 0 && graph_.loc(event_of(t, i).location).address != t.what.address) i = last_iteration(t, i);
    return i;
}

/// Calls `f` with the index of earlier looks like the pending one of `t` until it returns true: the latest few, and one that
/// moves on as often as the events double, so that longer periods are found as well (Brent 1980). A thread that reads many
/// times without an effect, and counts, is compared with few of its looks. @return whether f did
template <class Function>
bool idle_iterations::any_look(const thread_state& t, Function f) const {
    unsigned i = t.next_index;
    for (unsigned n = 0; n < latest_looks; ++n) {
        i = last_look(t, i);
        if (i == 0) return false;
        if (f(i)) return true;
    }
    unsigned far = t.pure_since + std::bit_floor((t.next_index - t.pure_since) / 2u);
    const auto is_one = [&](const event& e) {
        return is_read_there(t, e) && graph_.loc(e.location).address == t.what.address;
    };
    while (far < i && !is_one(event_of(t, far))) ++far;
    return far < i && f(far);
}

/// What becomes of `t`, whose pending read may begin the next iteration of a waiting loop. An iteration is what
/// was done since the same access at the same depth of the stack, with nothing in between that another
/// thread could see. It repeats when the whole state of the thread is the same again. @return ready when it goes on
thread_status idle_iterations::before_read(thread_state& t) {
    if (!facts_.limits.reduce.idle_iteration) return thread_status::ready;
    const auto repeats = [&](unsigned i) {
        const event& e = event_of(t, i);
        t.waiting_from = i;
        // Memory may differ because others wrote in between; then one more iteration shows what this loop does now, and
        // the last one, alone, that it left nothing that the next one would leave as well.
        return e.node != none && same_state_as(t, e) &&
               (program_.same_memory(state_before(e), t) ||
                (next_iteration_repeats(t, true) && (left_nothing(t, e) || !wrote_unseen(t, i)))) &&
               left_out_.may_leave_out(t, i);
    };
    if (!any_look(t, repeats)) return thread_status::ready;
    facts_.take_for_granted(assumption::idle_iteration, event_of(t, t.waiting_from).site);
    // After a spurious failure it can go on at once: in the execution without this iteration.
    return failed_since(t, t.waiting_from) ? thread_status::retrying : thread_status::waiting;
}

bool idle_iterations::has_come_round(const thread_state& t) const {
    if (!t.pending || t.what.frame == 0 || !is_look(t.what.act) || (t.places & place_bit(t.what.site)) == 0)
        return false;
    return last_look(t, t.next_index) != 0;
}

/// Whether `t`, which has just read and gone on, stands before that read again as if it had not read: the way of most
/// waiting loops; or an iteration without effect ends with that read.
bool idle_iterations::read_in_vain(thread_state& t, const kept_state& before) {
    unsigned last = t.next_index - 1u;
    while (event_of(t, last).again) --last;
    if (!t.pending || t.pure_since > last || !facts_.limits.reduce.idle_iteration) return false;
    const bool came_back = same_request(t.what, program_.images().request_of(before.state, t.id));
    if (!came_back && !has_come_round(t)) return false;
    // Plain accesses that go with the read may be the ones that race: they stay, and the read with them.
    if (!races_.shadow().repeats_since(before.log, t.id, last, t.pure_since,
                                       program_.images().heap_end(before.state, t.id)))
        return false;
    if (!came_back) return before_read(t) == thread_status::waiting;
    if (!same_state_as(t, before.state) || !program_.same_memory(before.state, t)) return false;
    t.waiting_from = last;
    facts_.take_for_granted(assumption::idle_iteration, t.what.site);
    return true;
}

/// Whether the pending request of `t` is a store of what it has written there last.
bool idle_iterations::writes_what_is_there(const thread_state& t) const {
    const location_id l = t.pending && t.what.act == action::store ? graph_.find(t.what.address) : none;
    if (l == none) return false;
    const event& last = graph_.at(graph_.loc(l).co.back());
    return last.thread == t.id && last.value == truncated(t.what.operand, t.what.size);
}

/// Whether the pending read of `t`, should it see the latest, ends an iteration without effect, where there is no state
/// from before it.
bool idle_iterations::would_read_in_vain(thread_state& t) {
    if ((t.what.frame == 0 && t.what.act != action::try_lock) || !facts_.limits.reduce.idle_iteration)
        return false;
    const request asked = t.what;
    const value_t latest = graph_.at(graph_.loc(graph_.find(asked.address)).co.back()).value;
    if (asked.act == action::modify || asked.act == action::try_lock) return spins(t, latest);
    if (asked.act == action::compare && asked.expected == latest) return false;
    const memory_range own = program_.own_stack(t);
    const bool again = facts_.tracing; // a replay knows no places as own_stores.cpp does
    unsigned from = t.next_index;
    const bool in_vain = execution_.speculate([&](const saved_state& before) {
        const std::uint32_t random = t.random, pure_since = t.pure_since;
        stack_copy_.take(own, t);
        t.pure_since = t.yielded_at = 0;
        execution_.go_on_with(t, latest);
        while (again && writes_what_is_there(t)) execution_.go_on_with(t, t.result);
        if (t.pure_since != 0) return false;
        if (same_request(t.what, asked))
            return t.random == random && program_.same_memory(before, t) && same_as_taken(t, own);
        t.pure_since = pure_since;
        if (!has_come_round(t) || before_read(t) != thread_status::waiting) return false;
        from = t.waiting_from;
        return true;
    });
    if (in_vain) t.waiting_from = from;
    return in_vain;
}

/// Whether the pending read-modify-write of `t`, should it see `seen`, would leave it there and only bring its thread back
/// to where it is: a test-and-set that fails, `while (x.exchange(1));`. Such an iteration is no event: whoever read what it
/// wrote can read what it had read, the same value, and be ordered behind less for it. So the execution in which the
/// thread looks later does the same, and has every race. What remains is a read that waits, as that of a mutex. Plain
/// accesses in such an iteration may race: they have to be ones that the thread has just made. A try of a lock that fails,
/// `while (!m.try_lock());`, writes nothing at all, and orders nothing.
bool idle_iterations::would_spin(thread_state& t, value_t seen) {
    const bool in_vain = t.what.act == action::try_lock ? is_taken(t.what, seen) : only_looks(t.what, seen);
    return in_vain && comes_back(t, seen);
}

/// Whether the pending read of `t`, should it see `seen`, changes nothing and brings its thread back to where it is.
bool idle_iterations::would_come_back(thread_state& t, value_t seen, bool may_access) {
    switch (t.what.act) {
    case action::load:
        return comes_back(t, seen, may_access);
    case action::compare:
        return seen != t.what.expected && comes_back(t, seen);
    default:
        return spins(t, seen);
    }
}

bool idle_iterations::would_come_round(thread_state& t, value_t seen) {
    const bool in_vain = t.what.act == action::compare ? seen != t.what.expected : only_looks(t.what, seen);
    if (!in_vain || facts_.interrupts || !facts_.limits.reduce.idle_iteration) return false;
    return execution_.try_out([&](const saved_state& before) {
        const unsigned pure_since = std::exchange(t.pure_since, 0);
        execution_.go_on_with(t, seen);
        if (t.pure_since != 0 || t.known_accesses != 0 || !program_.same_memory(before, t)) return false;
        t.pure_since = pure_since;
        if (!has_come_round(t)) return false;
        return any_look(t, [&](unsigned i) {
            const event& e = event_of(t, i);
            return e.node != none && same_state_as(t, e);
        });
    });
}

bool idle_iterations::comes_back_at_once(thread_state& t, value_t seen) {
    const bool in_vain =
        only_looks(t.what, seen) || (t.what.act == action::try_lock && is_taken(t.what, seen));
    return in_vain && comes_back(t, seen, true, false);
}

bool idle_iterations::goes_round(thread_state& t, unsigned first) {
    const request asked = t.what;
    const memory_range own = program_.own_stack(t);
    const unsigned end = t.next_index;
    return execution_.speculate([&](const saved_state& before) {
        const thread_state now = t;
        stack_copy_.take(own, t);
        t.yielded_at = 0;
        for (unsigned i = first; i < end; ++i)
            if (!t.pending || !goes_along(t, event_of(t, i))) return false;
        return t.pending && t.yielded_at == 0 && same_request(t.what, asked) &&
               same_beside_the_stack(t, now) && program_.same_memory(before, t) && same_as_taken(t, own);
    });
}

/// The same for one that changes nothing when it sees `seen`.
bool idle_iterations::comes_back(thread_state& t, value_t seen, bool may_access, bool may_yield) {
    if (facts_.interrupts || !facts_.limits.reduce.idle_iteration || (t.what.frame == 0 && t.hook_frame == 0))
        return false;
    const request asked = t.what;
    const memory_range own = program_.own_stack(t);
    bool accesses = false;
    const bool back = execution_.try_out([&](const saved_state& before) {
        const thread_state now = t;
        stack_copy_.take(own, t);
        t.yielded_at = 0;
        execution_.go_on_with(t, seen);
        accesses = t.known_accesses != 0 && !may_access;
        return (may_yield || t.yielded_at == 0) && same_request(t.what, asked) &&
               t.pure_since == now.pure_since && t.hook_frame == now.hook_frame && t.random == now.random &&
               t.clock_reads == now.clock_reads && program_.images().same_heaps(before) &&
               program_.same_memory(before, t) && same_as_taken(t, own);
    });
    return back && (!accesses || accesses_nothing_new(t, seen));
}

/// Whether the plain accesses of `t`, should its pending read see `seen`, are ones that it made just before, too.
bool idle_iterations::accesses_nothing_new(thread_state& t, value_t seen) {
    return execution_.speculate([&](const saved_state& before) {
        const std::size_t log = races_.shadow().log_size();
        const unsigned last = t.next_index - 1u, pure_since = t.pure_since;
        execution_.go_on_with(t, seen);
        return t.pending && t.what.act != action::fail &&
               races_.shadow().repeats_since(log, t.id, last, pure_since,
                                             program_.images().heap_end(before, t.id));
    });
}

/// Whether the iteration of `t` since its event `e`, without what others did meanwhile, changed no memory. A library that
/// the checker doesn't see may have, as printing to a buffer does.
bool idle_iterations::left_nothing(thread_state& t, const event& e) {
    const unsigned first = e.index, end = t.next_index;
    const saved_state before = state_before(e);
    return execution_.try_out([&](const saved_state&) {
        program_.restore(before);
        return t.what.site == e.site && iterate(t, first, end) && program_.images().same_heaps(before) &&
               program_.same_memory(before, t);
    });
}

} // namespace ringproof::verify
