// SPDX-License-Identifier: Apache-2.0
// Waiting loops: telling, from the running program, that a round of a loop had no effect. Such rounds
// are not explored: the thread stops, and goes on when a later write revisits something that it read.

#include "explorer.hpp"
#include "requests.hpp"

#include <algorithm>
#include <cstring>

namespace ringproof::verify {

bool same_request(const request& a, const request& b) {
    return a.act == b.act && a.site == b.site && a.frame == b.frame && a.address == b.address &&
           a.operand == b.operand && a.expected == b.expected;
}

/// Whether the program's part of `t`'s state, registers, floating-point environment and live stack, is what it was before `earlier`.
/// Below the hook's saved registers are the engine's own frames.
bool explorer::same_state_as(const thread_state& t, const event& earlier) const {
    const auto before = images_.stack_of(nodes_[earlier.node].state, t.id);
    const std::uintptr_t from = earlier.frame - saved_registers;
    return before.random == t.random && before.floats == t.floats && from >= before.sp &&
           std::memcmp(before.bytes + (from - before.sp), reinterpret_cast<const void*>(from),
                       before.size - (from - before.sp)) == 0;
}

/// What becomes of `t`, whose pending read may begin the next round of a waiting loop. A round is what
/// was done since the same access at the same depth of the stack, with nothing in between that another
/// thread could see. It repeats
/// when the whole state of the thread is the same again. @return ready when it goes on
thread_status explorer::await(thread_state& t) {
    if (t.what.frame == 0) return thread_status::ready;
    for (unsigned i = t.next_index; limits_.reduce.idle_iteration && i-- > t.pure_since;) {
        const event& e = graph_.at(graph_.in_thread(t.id, i));
        if (!e.is_read() || e.site != t.what.site || e.frame != t.what.frame) continue;
        t.waiting_from = i;
        // Memory may differ because others wrote in between; then one more round shows what this loop does now, and
        // the last one, alone, that it left nothing that the next one would leave as well.
        if (e.node != none && same_state_as(t, e) &&
            (same_memory(nodes_[e.node].state, t) ||
             (next_round_repeats(t, true) && (left_nothing(t, e) || !wrote_unseen(t, i)))))
            // After a spurious failure it can go on at once: in the execution without this round.
            return take_for_granted(assumption::idle_iteration, e.site),
                   failed_since(t, i) ? thread_status::retrying : thread_status::waiting;
    }
    if (const thread_status again = retries(t); again != thread_status::ready)
        return take_for_granted(assumption::retried_iteration, t.what.site), again;
    if (const thread_status idle = wasted(t); idle != thread_status::ready) return idle;
    return counted(t);
}

/// Whether `t`, which has just read the latest of a location and gone on, stands before that read again as if
/// it had not read: the way of most waiting loops. @param asked its request of that read
bool explorer::came_back(thread_state& t, const request& asked) {
    const unsigned last = t.next_index - 1u;
    if (t.pure_since > last || !same_request(t.what, asked) || !limits_.reduce.idle_iteration) return false;
    const event& e = graph_.at(graph_.in_thread(t.id, last));
    // Plain accesses that go with the read may be the ones that race: they stay, and the read with them.
    if (!shadow_.repeats_since(nodes_[e.node].log, t.id, last, t.pure_since,
                               images_.heap_end(nodes_[e.node].state, t.id)))
        return false;
    if (!same_state_as(t, e) || !same_memory(nodes_[e.node].state, t)) return false;
    take_for_granted(assumption::idle_iteration, e.site);
    return true;
}

/// Takes the read of the topmost node, which only brought its thread back, off the graph again. The thread
/// looks again when the location has a new write, and then only at new ones: what it may read of the old ones
/// are the other ways on from this node. So the read is nothing that another write would have to revisit, and
/// an execution in which the wait ends is not explored up to where it does not.
bool explorer::step_aside(std::uint32_t n) {
    restore(nodes_[n]);
    thread_state& t = threads_[nodes_[n].thread];
    t.status = thread_status::awaiting;
    t.dirty = true;
    t.offered = static_cast<std::uint32_t>(graph_.size());
    t.offered_places = static_cast<std::uint32_t>(graph_.loc(graph_.find(t.what.address)).co.size());
    return true;
}

/// The same for the pending read of `t`, in a replay, which has no nodes.
bool explorer::would_come_back(thread_state& t) {
    if (t.what.frame == 0 || !limits_.reduce.idle_iteration) return false;
    const request asked = t.what;
    const value_t latest = graph_.at(graph_.loc(graph_.find(asked.address)).co.back()).value;
    if (asked.act == action::modify) return spins(t, latest);
    if (asked.act == action::compare && asked.expected == latest) return false;
    const memory_range own = own_stack(t);
    return speculate([&](const saved_state& before) {
        const std::uint32_t random = t.random;
        const auto round = [&] {
            stack_copy_.take(own, t.floats);
            t.pure_since = t.yielded_at = 0;
            go_on_with(t, latest);
            return same_request(t.what, asked) && t.pure_since == 0;
        };
        const auto same = [&] {
            return t.random == random && same_memory(before, t) && stack_copy_.same(own, t.floats);
        };
        return round() && same();
    });
}

/// Whether the pending read-modify-write of `t`, should it see `seen`, would leave it there and only bring its thread back
/// to where it is: a test-and-set that fails, `while (x.exchange(1));`. Such a round is no event: whoever read what it
/// wrote can read what it had read, the same value, and be ordered behind less for it. So the execution in which the
/// thread looks later does the same, and has every race. What remains is a read that waits, as that of a mutex. Rounds
/// with plain accesses, which may race, stay what they are.
bool explorer::spins(thread_state& t, value_t seen) {
    if (t.what.act != action::modify || t.what.rule || t.what.frame == 0 || interrupts_ ||
        !limits_.reduce.idle_iteration || apply(t.what.op, seen, t.what.operand, t.what.size) != seen)
        return false;
    const request asked = t.what;
    const memory_range own = own_stack(t);
    return try_out([&](const saved_state& before) {
        const thread_state now = t;
        stack_copy_.take(own, t.floats);
        go_on_with(t, seen);
        return same_request(t.what, asked) && t.plain_accesses == 0 && t.pure_since == now.pure_since &&
               t.random == now.random && t.clock_reads == now.clock_reads && images_.same_heaps(before) &&
               same_memory(before, t) && stack_copy_.same(own, t.floats);
    });
}

/// Whether one more round, from the pending read of `t` on, does what the round since waiting_from did
/// when it reads the same values, and comes back to the same read; `unchanged`: with all as it was before. If
/// not, it has to yield on the way: another call of the function that reads may stand in the same round.
bool explorer::next_round_repeats(thread_state& t, bool unchanged) {
    const unsigned first = t.waiting_from, end = t.next_index;
    const floating_point floats = t.floats;
    return speculate([&](const saved_state& now) {
        t.yielded_at = 0;
        return iterate(t, first, end) &&
               (unchanged ? t.floats == floats && same_memory(now, t) : t.yielded_at != 0);
    });
}

/// Whether the round of `t` since its event `e`, without what others did meanwhile, changed no memory. A library that
/// the checker doesn't see may have, as printing to a buffer does.
bool explorer::left_nothing(thread_state& t, const event& e) {
    const unsigned first = e.index, end = t.next_index;
    const saved_state before = nodes_[e.node].state;
    return try_out([&](const saved_state&) {
        images_.restore(before, threads_);
        return t.what.site == e.site && iterate(t, first, end) && images_.same_heaps(before) &&
               same_memory(before, t);
    });
}

/// Lets `t`, which may be anywhere, go on from its earlier read with the value of a later one.
/// @return false where that does something else: a compare-exchange that would now succeed
bool explorer::go_on_from(thread_state& t, const event& earlier, value_t later) {
    images_.restore_one(nodes_[earlier.node].state, threads_, t.id);
    if (t.what.act == action::compare ? t.what.expected == later : t.what.act != action::load) return false;
    go_on_with(t, later);
    return true;
}

/// A failed attempt whose value is carried on, `while (!x.compare_exchange(seen, f(seen)));`: the
/// thread is now where it would be had an earlier read of x seen that value at once. Executions with
/// the failed attempt then are those without it, which are explored as well. @return ready where it is not; waiting when
/// it saw what that read had seen; retrying when it saw something newer, or could have succeeded
thread_status explorer::retries(thread_state& t) {
    if (t.next_index <= t.pure_since + 1u || !limits_.reduce.retried_iteration) return thread_status::ready;
    const event& failed = graph_.at(graph_.in_thread(t.id, t.next_index - 1u));
    if (!failed.is_read() || failed.rmw || !failed.locked) return thread_status::ready;
    const request now = t.what;
    const memory_range own = own_stack(t);
    stack_copy_.take(own, t.floats);
    for (unsigned i = t.next_index - 1u; i-- > t.pure_since;) {
        const event& e = graph_.at(graph_.in_thread(t.id, i));
        if (!e.is_read() || e.rmw || e.node == none || e.location != failed.location) continue;
        // It would order more, unless it sees that very write already.
        if (e.mo > failed.mo && !(failed.spurious && e.rf == failed.rf)) continue;
        const bool same = speculate([&](const saved_state&) {
            return go_on_from(t, e, failed.value) && same_request(t.what, now) &&
                   stack_copy_.same(own, t.floats);
        });
        if (same && !wrote_unseen(t, i)) {
            t.waiting_from = i;
            const bool saw_the_same = e.rf == failed.rf && !e.spurious && !failed.spurious;
            return saw_the_same ? thread_status::waiting : thread_status::retrying;
        }
    }
    return thread_status::ready;
}

} // namespace ringproof::verify
