// SPDX-License-Identifier: Apache-2.0
// Waiting loops: telling, from the running program, that an iteration of a loop had no effect. Such iterations
// are not explored: the thread stops, and goes on when a later write revisits something that it read.

#include "idle_iterations.hpp"

#include <algorithm>
#include <cstring>

namespace ringproof::verify {

/// What becomes of `t`, whose pending read may begin the next iteration of a waiting loop. An iteration is what
/// was done since the same access at the same depth of the stack, with nothing in between that another
/// thread could see. It repeats
/// when the whole state of the thread is the same again. @return ready when it goes on
thread_status idle_iterations::before_read(thread_state& t) {
    for (unsigned i = t.next_index; facts_.limits.reduce.idle_iteration && i-- > t.pure_since;) {
        const event& e = graph_.at(graph_.in_thread(t.id, i));
        if (!e.is_read() || e.site != t.what.site || e.frame != t.what.frame) continue;
        t.waiting_from = i;
        // Memory may differ because others wrote in between; then one more iteration shows what this loop does now, and
        // the last one, alone, that it left nothing that the next one would leave as well.
        if (e.node != none && same_state_as(t, e) &&
            (program_.same_memory(state_before(e), t) ||
             (next_iteration_repeats(t, true) && (left_nothing(t, e) || !wrote_unseen(t, i)))))
            // After a spurious failure it can go on at once: in the execution without this iteration.
            return facts_.take_for_granted(assumption::idle_iteration, e.site),
                   failed_since(t, i) ? thread_status::retrying : thread_status::waiting;
    }
    return thread_status::ready;
}

/// Whether `t`, which has just read the latest of a location and gone on, stands before that read again as if
/// it had not read: the way of most waiting loops. @param asked its request of that read
bool idle_iterations::came_back(thread_state& t, const request& asked) {
    const unsigned last = t.next_index - 1u;
    if (t.pure_since > last || !same_request(t.what, asked) || !facts_.limits.reduce.idle_iteration)
        return false;
    const event& e = graph_.at(graph_.in_thread(t.id, last));
    // Plain accesses that go with the read may be the ones that race: they stay, and the read with them.
    if (!races_.shadow().repeats_since(log_before(e), t.id, last, t.pure_since,
                                       program_.images().heap_end(state_before(e), t.id)))
        return false;
    if (!same_state_as(t, e) || !program_.same_memory(state_before(e), t)) return false;
    facts_.take_for_granted(assumption::idle_iteration, e.site);
    return true;
}

/// The same for the pending read of `t`, in a replay, which has no nodes.
bool idle_iterations::would_come_back(thread_state& t) {
    if (t.what.frame == 0 || !facts_.limits.reduce.idle_iteration) return false;
    const request asked = t.what;
    const value_t latest = graph_.at(graph_.loc(graph_.find(asked.address)).co.back()).value;
    if (asked.act == action::modify) return spins(t, latest);
    if (asked.act == action::compare && asked.expected == latest) return false;
    const memory_range own = program_.own_stack(t);
    return execution_.speculate([&](const saved_state& before) {
        const std::uint32_t random = t.random;
        const auto round = [&] {
            stack_copy_.take(own, t.floats);
            t.pure_since = t.yielded_at = 0;
            execution_.go_on_with(t, latest);
            return same_request(t.what, asked) && t.pure_since == 0;
        };
        const auto same = [&] {
            return t.random == random && program_.same_memory(before, t) && stack_copy_.same(own, t.floats);
        };
        return round() && same();
    });
}

/// Whether the pending read-modify-write of `t`, should it see `seen`, would leave it there and only bring its thread back
/// to where it is: a test-and-set that fails, `while (x.exchange(1));`. Such an iteration is no event: whoever read what it
/// wrote can read what it had read, the same value, and be ordered behind less for it. So the execution in which the
/// thread looks later does the same, and has every race. What remains is a read that waits, as that of a mutex. Iterations
/// with plain accesses, which may race, stay what they are.
bool idle_iterations::would_spin(thread_state& t, value_t seen) {
    if (t.what.rule || t.what.frame == 0 || facts_.interrupts || !facts_.limits.reduce.idle_iteration ||
        apply(t.what.op, seen, t.what.operand, t.what.size) != seen)
        return false;
    const request asked = t.what;
    const memory_range own = program_.own_stack(t);
    return execution_.try_out([&](const saved_state& before) {
        const thread_state now = t;
        stack_copy_.take(own, t.floats);
        execution_.go_on_with(t, seen);
        return same_request(t.what, asked) && t.plain_accesses == 0 && t.pure_since == now.pure_since &&
               t.random == now.random && t.clock_reads == now.clock_reads &&
               program_.images().same_heaps(before) && program_.same_memory(before, t) &&
               stack_copy_.same(own, t.floats);
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
