// SPDX-License-Identifier: Apache-2.0
// A thread that reads a lock as taken waits. In the search as published, that read is revisited by the write that frees
// the lock; and there is a branch without the revisit, in which the thread waits until the end, and of which no complete
// execution comes. Here the blocked read stays, and its thread reads once more as soon as there is a newer write. There
// is no other branch. (Kokologiannakis, Vafeiadis, "GenMC: A Model Checker for Weak Memory Models", CAV 2021, do
// the same by changing where the blocked read reads from, "in place".)
//
// A lock is what a function of libc locks, and what the program's own loops wait for, as idle_iterations.cpp and
// undone_attempts.cpp find them: a test-and-set that fails, an attempt that is undone, and a load or a compare-exchange
// that is made to see, by a revisit, what only ends an iteration without effect. (One that sees it when it is added is
// taken off the graph: explorer::step_aside.) It takes that each write of the lock has the one before it in coherence
// order also before it in porf. So it is where all of them are read-modify-writes and writes of the holder, or of
// one thread. Counts of a latch that have no order of their own (commuting_updates.cpp) revisit nothing: of them a blocked
// thread reads the last one. Where it is not, the search begins anew without this reduction for that lock.
//
// No execution is lost. Let r be a blocked read, c the write it reads, and w the first one after c. All later writes have w
// in their porf-prefix, so as long as r reads c none of them finds it added maximally: only w would revisit r, whence r
// reads w, or is revisited by the next who takes the lock. Either is what the second read does. It sees c or one
// of its successors, by coherence: what r could see instead of c was explored when it was made to see c.
// A revisit of a read that was added before r deletes r and the reads after it. As published, that takes that r reads the
// newest of the writes that stay. Here r stands for all that it might read next, c and what comes after it: it takes
// that c stays. What the thread has made of it, the second read and all behind that, has to be maximal by itself.
// No execution is found twice, for the thread has one way to have come to r: the write c has revisited an earlier read
// of the lock by the thread, or no other thread could go on.
// To the memory models r is nothing: a mutex that is had is read once. Its porf counts, its hb and fr do not.
//
// A deadlock is found as before: when no other thread can go on, a blocked thread reads the latest write, taken as it is.

#include "blocked_locks.hpp"

#include <algorithm>

namespace ringproof::verify {

namespace {

/// Whether `prefix` has the event.
bool includes(auto prefix, const event& e) {
    return e.thread == init_thread || prefix.includes(e.thread, e.index);
}

} // namespace

bool blocked_locks::follow_each_other(const location& at) const {
    for (std::size_t i = at.co.size(); --i > 0;)
        if (const event& w = graph_.at(at.co[i]); !w.update && !includes(w.porf(), graph_.at(at.co[i - 1])))
            return false;
    return true;
}

bool blocked_locks::applies_to(location_id l) {
    const location& at = graph_.loc(l);
    if (!applies()) return false;
    if (!at.in_memory) return true; // nothing else writes to it
    for (const lock& known : locks_)
        if (known.address == at.address) return !known.given_up;
    locks_.push_back({at.address, false});
    facts_.knows_more = true;
    if (!follow_each_other(at)) give_up(locks_.back());
    return true;
}

bool blocked_locks::may_apply_to(location_id l) const {
    const location& at = graph_.loc(l);
    return applies() && at.in_memory && !is_given_up(at.address) && follow_each_other(at);
}

void blocked_locks::give_up(lock& l) {
    l.given_up = true;
    throw anew{};
}

bool blocked_locks::is_given_up(std::uintptr_t address) const {
    return std::any_of(locks_.begin(), locks_.end(),
                       [&](const lock& l) { return l.address == address && l.given_up; });
}

bool blocked_locks::found_taken(const thread_state& t) const {
    if (!t.pending || !applies()) return false;
    if (t.status == thread_status::locking) {
        const event& seen = event_of(t, t.next_index - 1u);
        return graph_.at(graph_.loc(seen.location).co.back()).value == seen.value;
    }
    return !is_given_up(t.what.address) && asks_for_taken_lock(t, graph_);
}

void blocked_locks::note_write(const thread_state& t, std::uint32_t place) {
    for (lock& known : locks_) {
        if (known.address != t.what.address || known.given_up || t.what.act == action::update) continue;
        const auto& co = graph_.loc(graph_.find(known.address)).co;
        const bool rmw = t.what.act == action::write_part;
        if (place < co.size() || (!rmw && !includes(t.clocks.hb(), graph_.at(co.back())))) give_up(known);
    }
}

} // namespace ringproof::verify
