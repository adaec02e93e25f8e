// SPDX-License-Identifier: Apache-2.0
// Loops that poll with a lock held: `while (!queue.try_pop(x));`, where try_pop takes a mutex, looks, and lets go of it.
//
// Such an iteration writes, so it is none that idles. But it leaves what it wrote as it was: of each location its first
// access is a read-modify-write that reads w, and its last write has the value of w. Let there be no other effect: registers,
// stack and memory are as they were before, and no plain write but to its own stack was made. Then the execution
// without this iteration is one too, in which the thread comes later to the same place in the same state, provided
// that no other thread has read one of the writes in between: a try_lock that failed would tell. (One that waits does not,
// and is known by its blocked read: so without the reduction blocked-lock there is not this one either.) A thread that has
// read the last write reads w instead, the same value. Fewer events order less, so what is an error remains one; and the
// plain reads of the iteration are judged here, before the thread stops.
//
// The thread stops after the iteration. It goes on from there when another thread reads one of the writes in between; what
// it does then has to be noticed as well, or it stops again. Otherwise it waits: the executions in which others come
// before its iteration, and it sees what they did, are those in which its read of w is revisited or had another choice.
// When no other thread has written since to what it read, it waits for ever.

#include "restored_iterations.hpp"

#include <algorithm>
#include <vector>

namespace ringproof::verify {
namespace {

constexpr unsigned most_events = 24; // of an iteration

} // namespace

/// Where the iteration of `t` ends that begins with its read `from`: at the next read there, or where the thread stands.
unsigned restored_iterations::end_of(const thread_state& t, unsigned from) const {
    const event& head = event_of(t, from);
    for (unsigned i = from + 1; i < t.next_index; ++i) {
        const event& e = event_of(t, i);
        if (e.is_read() && !e.blocked && e.site == head.site && e.location == head.location) return i;
    }
    return t.next_index;
}

/// Whether the iteration of `t` from index `from` on has reads, and writes that leave each location as it was.
bool restored_iterations::gives_back(const thread_state& t, unsigned from) const {
    bool any = false;
    const unsigned end = end_of(t, from);
    for (unsigned i = from; i < end; ++i) {
        const event& e = event_of(t, i);
        if (e.is_read()) continue;
        // Of the program's own locks those that a store opens: additions that are taken back are undone_attempts.cpp's.
        if (e.kind != event_kind::write || e.mo == order::plain) return false;
        any = true;
        const event* first = nullptr; // read of the location
        const event* last = nullptr;  // write
        for (unsigned k = from; k < end; ++k) {
            const event& x = event_of(t, k);
            if (!x.is_access() || x.location != e.location) continue;
            if (x.kind == event_kind::write) {
                if (!first || !first->rmw) return false;
                last = &x;
            } else if (!first || !first->rmw) {
                first = &x;
            }
        }
        if (first->value != last->value || (!last->lock && last->rmw)) return false;
    }
    return any;
}

/// Whether another thread has read what `t` wrote in its iteration from `from` on, and then wrote over.
bool restored_iterations::was_noticed(const thread_state& t, unsigned from) const {
    const unsigned end = end_of(t, from);
    for (unsigned i = from; i < end; ++i) {
        const event& e = event_of(t, i);
        if (e.kind != event_kind::write) continue;
        bool last = true;
        for (unsigned k = i + 1; k < end && last; ++k)
            last = event_of(t, k).kind != event_kind::write || event_of(t, k).location != e.location;
        for (event_id r = e.first_reader; r != none && !last; r = graph_.at(r).next_reader)
            if (graph_.at(r).thread != t.id && !graph_.at(r).blocked) return true;
    }
    return false;
}

/// Whether memory is as it was before `e`, but for what other threads have written since: a library that the checker
/// doesn't see may have changed it for `t`.
bool restored_iterations::is_memory_same(const thread_state& t, const event& e) {
    const saved_state then = state_before(e);
    if (program_.same_memory(then, t)) return true;
    constexpr std::uintptr_t word = 8;
    std::vector<std::uintptr_t> by_others; // words
    for (thread_id u = 0; u < program_.thread_count(); ++u) {
        if (u == t.id) continue;
        const auto note = [&](std::uintptr_t address, std::uint8_t, const plain_access&) {
            by_others.push_back(address / word);
            return true;
        };
        if (!races_.shadow().each_write_since(log_before(e), u, 0, note)) return false;
    }
    for (location_id l = 0; l < graph_.locations(); ++l)
        for (const event_id w : graph_.loc(l).co) {
            const event& written = graph_.at(w);
            if (written.thread != t.id && written.thread != init_thread &&
                !e.porf().includes(written.thread, written.index))
                by_others.push_back(graph_.loc(l).address / word);
        }
    return program_.same_memory(then, t, [&](std::uintptr_t address) {
        return program_.memory().is_bookkeeping(address) ||
               std::find(by_others.begin(), by_others.end(), address / word) != by_others.end();
    });
}

bool restored_iterations::left_all(thread_state& t) {
    if (!facts_.limits.reduce.restored_iteration || !facts_.limits.reduce.blocked_lock || facts_.interrupts ||
        (!t.goes_round && !(t.places & place_bit(t.what.site))) || execution_.writing() != no_thread)
        return false;
    if (program_.own_stack(t).size() == 0) return false; // where it stands is not known
    for (unsigned i = t.next_index; i-- > 1 && t.next_index - i <= most_events;) {
        const event& e = event_of(t, i);
        if (e.kind != event_kind::read && e.kind != event_kind::write) return false;
        if (!e.is_read() || !e.rmw || e.site != t.what.site || e.node == none) continue;
        const saved_state then = state_before(e);
        const thread_state& before = program_.images().thread_of(then, t.id);
        if (!same_request(before.what, t.what) || before.hook_frame != t.hook_frame || !gives_back(t, i))
            continue;
        if (!same_state_as(t, e) || !same_beside_the_stack(before, t) || has_written(t, e) ||
            // A replay asks at its end, when others have gone on; the search has compared.
            !(facts_.tracing || is_memory_same(t, e)))
            return false;
        // One that was noticed stays; an earlier one may be noticed no more, as who did was revisited.
        if (was_noticed(t, i)) continue;
        t.waiting_from = i;
        facts_.take_for_granted(assumption::restored_iteration, e.site);
        return true;
    }
    return false;
}

} // namespace ringproof::verify
