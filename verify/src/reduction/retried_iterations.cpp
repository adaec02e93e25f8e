// SPDX-License-Identifier: Apache-2.0
// Iterations without effect, told by what comes after them. A thread has read a location, gone round, and read it
// again. Had it seen at once what it saw then, would it be where it is now? That is tried out: it runs once
// more from the earlier read, with the later one's value, and is given what it read since. When it asks for
// the same on the way, and then stands before the same request, with the same registers, stack and memory, the
// execution has a twin without the iteration, in which it does from here on whatever it does here. It is left to
// the twin: the thread stops, as one that waits does, and goes on only when a later write revisits its reads.
//
// The invariant. Let i be the earlier read, j the later one of the same location, and n the pending request.
// The twin's graph is this one without the events from i up to j, and with j in the place of i. It is a
// consistent graph of the program, and every continuation of this one is one of it:
// - the thread comes to j's successors, and to the same state behind them, by the trial; nothing is guessed from
//   values not read, for the trial is made anew after each value, until the states are equal or n is too far;
// - nobody reads from what is taken out: iterations that have stored anything are executions of their own;
// - i orders no more than j does; fewer events order less, so the twin has every race that this graph has, but for those
//   of the accesses between i and j, which are left_out.cpp's;
// - plain memory that the iteration changed is put back before the trial, and equal after it; and the iteration changed no
//   other, for it is made once more, from the state before it, and memory is equal after that as well.
// The twin has fewer events, so leaving graphs to twins ends. Dead registers and stack slots differ for a while,
// until they are overwritten; a count of iterations differs for ever, and its iterations are explored.

#include "retried_iterations.hpp"

#include "../program/request_kinds.hpp"

#include <algorithm>
#include <cstring>

namespace ringproof::verify {

namespace {

constexpr unsigned most_behind = 4;  // events from the later read to the pending request
constexpr unsigned most_events = 16; // the same from the earlier read
constexpr unsigned most_earlier = 3; // reads tried as the earlier one

/// Whether a trial can go past `e`. Successful read-modify-writes, and whatever creates or ends something, are seen.
bool can_be_passed(const event& e) {
    if (e.kind == event_kind::fence) return true;
    return (e.kind == event_kind::read || e.kind == event_kind::write) && !e.rmw && !e.waits && !e.lock &&
           e.mo != order::plain;
}

} // namespace

/// A failed attempt whose value is carried on, `while (!x.compare_exchange(seen, f(seen)));`: the
/// thread is now where it would be had an earlier read of x seen that value at once. Executions with
/// the failed attempt then are those without it, which are explored as well. @return ready where it is not; waiting when
/// it saw what that read had seen; retrying when it saw something newer, or could have succeeded
thread_status retried_iterations::retries(thread_state& t) {
    if (t.next_index <= t.pure_since + 1u || !facts_.limits.reduce.retried_iteration)
        return thread_status::ready;
    const event& failed = graph_.at(graph_.in_thread(t.id, t.next_index - 1u));
    if (!failed.is_read() || failed.rmw || !failed.locked) return thread_status::ready;
    const request now = t.what;
    const memory_range own = program_.own_stack(t);
    stack_copy_.take(own, t);
    for (unsigned i = t.next_index - 1u; i-- > t.pure_since;) {
        const event& e = graph_.at(graph_.in_thread(t.id, i));
        if (!e.is_read() || e.rmw || e.blocked || e.node == none || e.location != failed.location) continue;
        // It would order more, unless it sees that very write already.
        if (e.mo > failed.mo && !(failed.spurious && e.rf == failed.rf)) continue;
        const bool same = execution_.speculate([&](const saved_state&) {
            return go_on_from(t, e, failed.value) && same_request(t.what, now) && same_as_taken(t, own);
        });
        if (same && !wrote_unseen(t, i) && left_out_.may_leave_out(t, i)) {
            t.waiting_from = i;
            const bool saw_the_same = e.rf == failed.rf && !e.spurious && !failed.spurious;
            return saw_the_same ? thread_status::waiting : thread_status::retrying;
        }
    }
    return thread_status::ready;
}

/// Whether `t`, since its event `again`, has come to a place where it was from event `first` on: in a loop. Where
/// there is none, two looks of which the first tells nothing are the program's, and make executions of their own.
bool retried_iterations::goes_round(const thread_state& t, unsigned first, unsigned again) const {
    const auto was_at = [&](std::uintptr_t site, std::uintptr_t hook) {
        for (unsigned k = first; k < again; ++k) {
            const event& e = graph_.at(graph_.in_thread(t.id, k));
            if (e.site == site && e.frame == hook && !e.blocked) return true;
        }
        return false;
    };
    for (unsigned k = again; k < t.next_index; ++k) {
        const event& e = graph_.at(graph_.in_thread(t.id, k));
        if (was_at(e.site, e.frame)) return true;
    }
    return t.what.site == graph_.at(graph_.in_thread(t.id, again)).site || was_at(t.what.site, t.what.frame);
}

/// Whether `t`, had its read `first` seen what its read `again` did, would be where it is.
bool retried_iterations::would_be_here(thread_state& t, unsigned first, unsigned again) {
    const event& from = graph_.at(graph_.in_thread(t.id, first));
    const event& seen = graph_.at(graph_.in_thread(t.id, again));
    const thread_state now = t;
    const memory_range own = program_.own_stack(t);
    stack_copy_.take(own, t);
    // What lies in memory of an atomic object is nothing that its thread reads there.
    const auto is_atomic = [&](std::uintptr_t a) { return races_.shadow().is_atomic(a, 1); };
    return execution_.try_out([&](const saved_state& here) {
        if (!forget_plain_writes(t, from, again) || !go_on_from(t, from, seen.value)) return false;
        for (unsigned k = again + 1; k < now.next_index; ++k)
            if (!goes_along(t, graph_.at(graph_.in_thread(now.id, k)))) return false;
        return t.pending && same_request(t.what, now.what) && t.hook_frame == now.hook_frame &&
               same_beside_the_stack(t, now) && same_as_taken(t, own, is_atomic) &&
               program_.images().same_heaps(here) && program_.same_memory(here, t) &&
               program_.same_stacks(here, t);
    });
}

/// Whether `t`, had its read `i` seen what `again` did, would be where it is.
bool retried_iterations::is_twin(thread_state& t, unsigned i, const event& again) {
    const event& e = event_of(t, i);
    if (!goes_round(t, i, again.index)) return false;
    const iteration_kinds::kind kind{e.site, again.site, t.what.site, again.index - i,
                                     t.next_index - unsigned{again.index}};
    if (kinds_.hopeless(kind)) return false;
    const bool idle = would_be_here(t, i, again.index) && !wrote_unseen(t, i);
    kinds_.note(kind, idle);
    return idle && left_out_.may_leave_out(t, i);
}

/// After a spurious failure a thread can go on at once, in the execution without it; otherwise something newer has to come.
static thread_status behind_twin(bool saw_the_same, bool failed_spuriously) {
    return saw_the_same && !failed_spuriously ? thread_status::waiting : thread_status::retrying;
}

/// Whether the last iteration of `t`, which has a pending request, had no effect. @return ready when it had, or
/// when that is not seen; waiting when it saw the same again; retrying when it saw something newer
thread_status retried_iterations::without_effect(thread_state& t) {
    if (!t.goes_round && !(t.places & place_bit(t.what.site))) return thread_status::ready;
    if (!facts_.limits.reduce.retried_iteration || facts_.interrupts || execution_.writing() != no_thread)
        return thread_status::ready;
    if (t.what.frame == 0 && t.hook_frame == 0 && t.what.act != action::end) return thread_status::ready;
    struct later_read {
        const event* seen;
        unsigned tried; ///< earlier reads, for this one
        bool may_replace(const event& e) const {
            return seen->location == e.location && seen->mo >= e.mo && (!e.locked || seen->locked) &&
                   tried < most_earlier;
        }
    };
    later_read later[most_behind];
    std::size_t count = 0;
    for (unsigned i = t.next_index; i-- > 1 && t.next_index - i <= most_events;) {
        const bool near = t.next_index - i <= most_behind;
        const event& e = event_of(t, i);
        if (!can_be_passed(e) || (count == 0 && !near)) break;
        if (e.kind == event_kind::write) count = 0; // an iteration that begins before it has made it
        if (!e.is_read() || e.blocked || e.frame == 0) continue;
        for (std::size_t k = 0; k < count && e.node != none; ++k) {
            if (!later[k].may_replace(e)) continue;
            ++later[k].tried;
            const event& again = *later[k].seen;
            if (!is_twin(t, i, again)) continue;
            t.waiting_from = i;
            facts_.take_for_granted(assumption::retried_iteration, e.site);
            return behind_twin(again.rf == e.rf, failed_since(t, i));
        }
        if (near) later[count++] = {&e, 0};
    }
    return thread_status::ready;
}

/// Whether `t`, which has just read the latest write and gone on, is where its twin is: then it can give that read up and
/// look again when there is a newer write. The twin has read here what this execution would read then, so what
/// the thread may still come to is that the iteration ends otherwise, with a value that is not there yet. As long as the
/// read stays, each later write revisits it, and each time the search goes on to the end beside a thread that has stopped.
/// After a spurious failure the thread can go on with what is there: it is not one that waits.
/// Plain accesses that go with the read may be the ones that race: then they stay, and the read with them.
bool retried_iterations::read_in_vain(thread_state& t, const kept_state& before) {
    return has_come_round(t) && left_out_.may_give_up_read(t, before);
}

bool retried_iterations::has_come_round(thread_state& t) {
    if (!t.pending || t.what.frame == 0 || !kind_of(t.what.act).reads) return false;
    return (retries(t) != thread_status::ready || without_effect(t) != thread_status::ready) &&
           !failed_since(t, t.waiting_from);
}

} // namespace ringproof::verify
