// SPDX-License-Identifier: Apache-2.0
// Waits that end without a signal: early, or by a time-out. At a wait there is a choice; if it ends so, the
// thread lets go of the mutex, takes it again, and goes on. (Whether it was among those that wait meanwhile makes no
// difference: who is chosen by a signal is woken by it.)
//
// In a loop that looks again, nobody can tell. Let l be the read by which the thread took the mutex before the wait,
// and l' that by which it took it again. When it has written nothing since l, and stands behind l' where it would
// stand had it taken the mutex for the first time at l', then the execution without what lies between, in which it
// comes later, does the same from here on: nobody knows that it had the mutex earlier, and fewer events order less.
// That is tried out, as in retried_iterations.cpp, and the execution is left to its twin: the thread stops, and goes on only when a
// later write revisits l'. Likewise when it comes to the same wait again in the same state, having only locked and
// unlocked on the way, or written what it read by a read-modify-write: a loop around a futex may set a bit that is set
// already before each wait. A thread that reads that write can read the one before it, as in idle_iterations::would_spin().
//
// Another thread may know: its try_lock failed because the thread had the mutex before the wait. It may then do what lets
// the second look succeed, and in the twin its try_lock does not fail. So where a try_lock has failed between the two, or
// does so later, the thread goes on, and what it does then depends on who noticed: see restored_iterations.cpp. (A thread that
// takes the mutex later reads that it is free, and can read that from before.)
//
// Time passes in a wait that times out, and the deadline of the next one is another. Deadlines decide nothing: each timed
// wait is explored with a time-out and without. So the twin may look at the clock when this execution does: the trial
// begins at the time that it is now, and the deadline itself, which the library has on the thread's stack, may differ.
// Where the thread has looked at the clock for anything else on the way, the execution stays.
//
// A loop that waits with a time-out never hangs in a wait, but it may poll for ever. Its twins end in a wait that nobody
// ends. When no thread can go on, each such wait is tried out: with a time-out, with all locks as they are, and with the latest
// values of what the thread reads. If it comes back to the wait in the same state, it polls for ever. Where that cannot be
// tried out, although time-outs were left out there, the search is bounded by that.

#include "vain_wakes.hpp"

#include <algorithm>
#include <time.h>

namespace ringproof::verify {

/// Whether the read `e` is that of a read-modify-write of the program that left the value as it was.
bool vain_wakes::left_value(const thread_state& t, const event& e) const {
    if (!e.is_read() || !e.rmw || e.lock || e.index + 1u >= t.next_index) return false;
    const event& written = event_of(t, e.index + 1u);
    return written.kind == event_kind::write && written.rmw && !written.lock &&
           written.location == e.location && written.size == e.size && written.value == e.value;
}

/// Whether a write of a lock lets go of it.
bool vain_wakes::lets_go(const event& e) {
    return e.kind == event_kind::write && e.lock && is_release(e.mo) && !is_acquire(e.mo);
}

/// Whether the events of `t` from the first up to `until` are nothing but looks, locks taken and let go of again, and
/// read-modify-writes that change nothing.
bool vain_wakes::only_locked(const thread_state& t, unsigned from, unsigned until) const {
    std::vector<std::pair<location_id, std::int64_t>> held;
    for (unsigned i = from; i < until; ++i) {
        const event& e = graph_.at(graph_.in_thread(t.id, i));
        if ((e.is_read() && (e.lock || !e.rmw)) || (e.kind == event_kind::choice && e.weak)) continue;
        if (left_value(t, e)) {
            ++i; // what it wrote
            continue;
        }
        if (e.kind != event_kind::write || !e.lock) return false;
        const auto at =
            std::find_if(held.begin(), held.end(), [&](auto& h) { return h.first == e.location; });
        // Of a lock that many may have: what that adds to it.
        if (e.word && !e.rmw) return false;
        const std::int64_t change = e.word  ? static_cast<std::int64_t>(e.value - event_of(t, i - 1u).value)
                                    : e.rmw ? 1
                                            : -1;
        if (at == held.end())
            held.emplace_back(e.location, change);
        else
            at->second += change;
    }
    return std::all_of(held.begin(), held.end(), [](auto& h) { return h.second == 0; });
}

/// The index of the write by which `t` took the lock that it let go of by its event `release`; 0: none is known.
unsigned vain_wakes::taken_before(const thread_state& t, unsigned release) const {
    const location_id l = event_of(t, release).location;
    unsigned i = release;
    while (--i > 0) {
        const event& e = event_of(t, i);
        if (e.kind == event_kind::write && e.lock && e.location == l && e.rmw && !lets_go(e)) return i;
    }
    return 0;
}

/// Adds the events by which other threads looked at a lock while `t` had it, from its event `taken` to its event `released`,
/// and went on without it. One that took or gave back a share of its own cannot tell, see restored_iterations.cpp.
void vain_wakes::add_who_noticed(const thread_state& t, unsigned taken, unsigned released,
                                 std::vector<const event*>& found) const {
    const auto& co = graph_.loc(event_of(t, taken).location).co;
    const std::uint32_t end = graph_.co_place(graph_.in_thread(t.id, released));
    for (std::uint32_t place = graph_.co_place(graph_.in_thread(t.id, taken)); place < end; ++place) {
        const event& w = graph_.at(co[place]);
        if (w.thread != t.id && !w.counts && !tells_nothing(w)) found.push_back(&w);
        add_readers(w, t.id, found);
    }
}

/// Those of all locks that `t` has let go of since its event `from`. @return nothing where it is not known since when it had one
std::optional<std::vector<const event*>> vain_wakes::noticed_since(const thread_state& t,
                                                                   unsigned from) const {
    std::vector<const event*> found;
    for (unsigned i = from; i < t.next_index; ++i) {
        const event& e = event_of(t, i);
        if (!lets_go(e)) continue;
        const unsigned taken = taken_before(t, i);
        if (taken == 0) return std::nullopt;
        add_who_noticed(t, taken, i, found);
    }
    return found;
}

bool vain_wakes::was_noticed(const thread_state& t) const {
    const auto by = noticed_since(t, t.waiting_from);
    return !by || !by->empty();
}

/// A byte of the deadline that the library computed for the last timed wait of `t`, which nothing of the program reads.
std::function<bool(std::uintptr_t)> vain_wakes::deadline_of(const thread_state& t) {
    const memory_range deadline{t.deadline, t.deadline + sizeof(timespec)};
    return [=](std::uintptr_t a) { return deadline.begin != 0 && deadline.contains(a); };
}

/// Notes that what follows the choice `early` is left out.
bool vain_wakes::note_cut(const event& early) {
    if (early.word == runtime::time_out && std::find(cut_.begin(), cut_.end(), early.site) == cut_.end())
        cut_.push_back(early.site), bound_by(early.site);
    return true;
}

/// The search is bounded by the wait at `site`, if time-outs were left out there of which it isn't told whether they come for
/// ever: whichever was found first.
void vain_wakes::bound_by(std::uintptr_t site) {
    const auto has = [&](const std::vector<std::uintptr_t>& sites) {
        return std::find(sites.begin(), sites.end(), site) != sites.end();
    };
    if (has(cut_) && has(untold_))
        runtime_.bound("a loop waits with a time-out; whether it does so for ever is not known");
}

/// Whether `t`, which has done nothing since its event `from`, may stop. Where another thread noticed that it had a lock since, it
/// goes on from there once the others have done what they can.
bool vain_wakes::stops_since(thread_state& t, unsigned from, const event& early) {
    const auto by = noticed_since(t, from);
    if (!by) return false;
    if (t.woke_in_vain && !by->empty()) {
        if (std::any_of(by->begin(), by->end(), [&](const event* e) { return went_on_behind(*e); }))
            runtime_.bound("a wait that ended early was noticed in an iteration that was noticed as well");
        go_on_for(t, *by, event::behind_vain_wake);
        return false;
    }
    if (!left_out_.may_leave_out(t, from)) return false;
    t.waiting_from = from;
    return note_cut(early);
}

/// Whether `t`, whose wait ended early by the choice `early`, is back at it in the same state, having only taken
/// mutexes and let go of them.
bool vain_wakes::waits_again(const thread_state& t, const event& early) {
    if (t.what.act != action::choose || !t.what.weak || t.what.site != early.site || early.node == none ||
        t.hook_frame != early.frame || early.frame == 0 || looked_at_clock(t, early.index) ||
        !only_locked(t, early.index, t.next_index))
        return false;
    return same_state_as(t, state_before(early), deadline_of(t)) && !has_written(t, early);
}

bool vain_wakes::woke_in_vain(thread_state& t) {
    if (facts_.interrupts || facts_.tracing || !facts_.limits.reduce.vain_wake ||
        (t.hook_frame == 0 && t.what.frame == 0))
        return false;
    const auto at = [&](unsigned i) -> const event& { return graph_.at(graph_.in_thread(t.id, i)); };
    const event& early = at(t.early_wake);
    if (waits_again(t, early)) return stops_since(t, early.index, early);
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
    const bool twin = execution_.try_out([&](const saved_state& here) {
        program_.restore_one(before, t.id);
        if (t.what.act != action::lock) return false;
        t.clock = now.clock;
        execution_.go_on_with(t, from.value);
        return t.pending && same_request(t.what, now.what) && t.hook_frame == now.hook_frame &&
               same_beside_the_stack(t, now) && same_as_taken(t, own, deadline_of(now)) &&
               program_.images().same_heaps(here) && program_.same_memory(here, t) &&
               program_.same_stacks(here, t);
    });
    return twin && stops_since(t, first, early);
}

/// The latest value that the access asked for sees, if it only looks then: nothing where it would change that.
std::optional<value_t> vain_wakes::only_sees(const request& what) const {
    const location_id l = graph_.find(what.address);
    const value_t latest =
        l == none ? program_.read(what.address, what.size) : graph_.at(graph_.loc(l).co.back()).value;
    const bool unknown = what.act == action::modify && l == none;
    return unknown || !only_looks(what, latest) ? std::nullopt : std::optional(latest);
}

/// Lets `t`, which has just taken its mutex again, go on with the latest values of what it reads until it is back at `wait`.
vain_wakes::trial vain_wakes::look_again(thread_state& t, const event& wait) {
    constexpr unsigned most_requests = 1'000;
    for (unsigned n = 0; n < most_requests && t.pending; ++n) {
        const request& what = t.what;
        if (what.act == action::choose)
            return what.weak && what.site == wait.site && t.hook_frame == wait.frame
                       ? trial::comes_back
                       : trial::does_something_else;
        const location_id l = graph_.find(what.address);
        if (is_look(what.act)) {
            const std::optional<value_t> seen = only_sees(what);
            if (!seen) return trial::does_something_else;
            execution_.go_on_with(t, *seen);
        } else if (what.act == action::lock && !what.rule &&
                   (l == none || !must_wait(what, graph_.at(graph_.loc(l).co.back()).value))) {
            facts_.holds[what.address] = true;
            execution_.go_on_with(t, 0);
        } else if (what.act == action::unlock || what.act == action::fence) {
            if (what.act == action::unlock) facts_.holds[what.address] = false;
            execution_.go_on_with(t, t.result);
        } else if (what.act == action::fail) {
            return trial::unknown;
        } else {
            return trial::does_something_else;
        }
    }
    return trial::unknown;
}

/// The mutex that is let go of after the choice `wait`.
std::uintptr_t vain_wakes::mutex_of(const event& wait) const {
    const thread_state& t = program_.thread(wait.thread);
    for (unsigned i = wait.index + 1; i < t.next_index; ++i)
        if (const event& e = event_of(t, i); lets_go(e)) return graph_.loc(e.location).address;
    return 0;
}

/// Lets `t` time out in its wait, which it began with the choice `wait`. `passes`: and then sees that its time has passed.
/// Otherwise it comes to a deadline that can be compared with the one that it had.
vain_wakes::trial vain_wakes::time_out_again(thread_state& t, const event& wait, bool passes) {
    const saved_state before = state_before(wait);
    const std::uintptr_t mutex = mutex_of(wait);
    if (mutex == 0) return trial::unknown;
    const struct back {
        search_facts& facts;
        ~back() { facts.holds.clear(); }
    } later{facts_};
    trial found = trial::unknown;
    execution_.try_out([&](const saved_state& here) {
        program_.restore_one(before, t.id);
        const thread_state then = t;
        const memory_range own = program_.own_stack(t);
        stack_copy_.take(own, t);
        facts_.holds[mutex] = true;
        execution_.go_on_with(t, 1);
        if (t.what.act != action::unlock) return false;
        facts_.holds[mutex] = false;
        execution_.go_on_with(t, 0);
        if (t.what.act != action::lock || t.what.address != mutex) return false;
        if (must_wait(t.what, graph_.at(graph_.loc(graph_.find(mutex)).co.back()).value)) { // for ever
            found = trial::comes_back;
            return true;
        }
        facts_.holds[mutex] = true;
        if (!passes) t.clock = then.clock;
        execution_.go_on_with(t, 0);
        found = look_again(t, wait);
        if (passes || found != trial::comes_back) return false;
        const bool same = same_beside_the_stack(t, then) && same_as_taken(t, own, deadline_of(then)) &&
                          program_.images().same_heaps(here) && program_.same_memory(here, t) &&
                          program_.same_stacks(here, t);
        if (!same) found = trial::does_something_else;
        return same;
    });
    return found;
}

bool vain_wakes::polls_for_ever(thread_state& t) {
    if (facts_.interrupts || !facts_.limits.reduce.vain_wake || t.hook_frame == 0) return false;
    unsigned i = t.next_index;
    while (--i > 0 &&
           !(event_of(t, i).kind == event_kind::choice && event_of(t, i).word == runtime::time_out)) {
    }
    if (i == 0) return false;
    const event& wait = event_of(t, i);
    trial found = wait.node == none || wait.spurious ? trial::unknown : time_out_again(t, wait, true);
    if (found == trial::comes_back) found = time_out_again(t, wait, false);
    if (found == trial::unknown) untold_.push_back(wait.site), bound_by(wait.site);
    return found == trial::comes_back;
}

} // namespace ringproof::verify
