// SPDX-License-Identifier: Apache-2.0
// Sleeping threads: waits that end when another thread says so, std::atomic's and the futex's. As with a
// waiting loop, the iteration that led to sleep is not explored any further: the thread goes on when a later
// write revisits what it read last, as if it had seen that write at once. What the others do while it
// sleeps is explored to their end, though, and shows whether anyone wakes it ([atomics.wait]: a wait that
// saw X is woken by a notification that a later write Y happens before).

#include "waiting_threads.hpp"

#include "../execution/requests.hpp"
#include "../model/model.hpp"

#include <algorithm>
#include <vector>

namespace ringproof::verify {

/// Whether `reader`, a wait of another thread, may have seen what `seen` saw, gone to sleep, and taken `wake`
/// for itself.
bool waiting_threads::may_have_slept(event_id reader, const event& wake, const event& seen) const {
    const event& r = graph_.at(reader);
    const std::uint32_t x = graph_.co_place(seen.rf);
    if (!r.is_read() || !r.waits || r.thread == seen.thread || r.location != seen.location ||
        graph_.co_place(r.rf) <= x)
        return false;
    const event& before = graph_.at(graph_.in_thread(r.thread, r.index - 1u));
    return !before.hb().includes(wake.thread, wake.index) &&
           model::first_coherent(graph_, r.location, before.hb()) <= x;
}

/// Whether some notification is certain to wake the sleeping `t`.
bool waiting_threads::will_wake(const thread_state& t) const {
    const event& seen = graph_.at(graph_.in_thread(t.id, t.waiting_from));
    const auto& co = graph_.loc(seen.location).co;
    const std::uint32_t x = graph_.co_place(seen.rf);
    unsigned single = 0;
    std::vector<event_id> others; // waits that a notification of one thread may have woken instead
    for (event_id id = 0; id < graph_.size(); ++id) {
        const event& n = graph_.at(id);
        if (n.kind != event_kind::wake || n.frame != t.what.address) continue;
        const bool eligible = std::any_of(co.begin() + x + 1, co.end(), [&](event_id y) {
            return n.hb().includes(graph_.at(y).thread, graph_.at(y).index);
        });
        if (!eligible) continue;
        if (n.value > max_threads) return true;
        single += static_cast<unsigned>(n.value);
        for (event_id r = 0; r < graph_.size(); ++r)
            if (may_have_slept(r, n, seen) && std::find(others.begin(), others.end(), r) == others.end())
                others.push_back(r);
    }
    return single > others.size();
}

/// Whether `w` was written in an iteration that left all as it was, behind which its thread waits.
bool waiting_threads::was_put_back(const event& w) const {
    if (w.thread == init_thread) return false;
    const thread_state& by = program_.thread(w.thread);
    return by.status == thread_status::waiting && w.index >= by.waiting_from;
}

/// Whether there is anything newer than what `e` read but the same value again: as test-and-sets that fail write it, or as
/// threads have put it back that wait.
bool waiting_threads::is_outdated(const event& e) const {
    const auto& co = graph_.loc(e.location).co;
    const bool is_there_again = graph_.at(co.back()).value == e.value;
    return std::any_of(co.begin() + graph_.co_place(e.rf) + 1, co.end(), [&](event_id id) {
        const event& w = graph_.at(id);
        return !(w.rmw && w.value == e.value) && !(is_there_again && was_put_back(w));
    });
}

/// Whether something newer is there than what `t` left when it took what its event `index`, an iteration's first read of a
/// lock, is of, and gave it back: other than what threads left that wait in the same way.
bool waiting_threads::is_newer(const thread_state& t, unsigned index) const {
    const auto& co = graph_.loc(graph_.at(graph_.in_thread(t.id, index)).location).co;
    for (std::size_t i = co.size(); i-- > 0 && graph_.at(co[i]).thread != t.id;) {
        if (graph_.at(co[i]).thread == init_thread) break;
        if (!was_put_back(graph_.at(co[i]))) return true;
    }
    return false;
}

/// Whether what `t` waits for has come, in this or in another execution: then it does not wait for ever.
bool waiting_threads::can_go_on(const thread_state& t) const {
    // Awaiting: there is nothing newer of what ended the iteration, or it would look again.
    const bool locks = t.status == thread_status::locking;
    const bool loops = t.status == thread_status::waiting || t.status == thread_status::awaiting ||
                       (locks && is_look(t.what.act));
    const unsigned from = locks && !loops ? t.next_index - 1u : t.waiting_from;
    for (unsigned i = from; i < t.next_index; ++i) {
        const event& e = graph_.at(graph_.in_thread(t.id, i));
        const bool gives_back = loops && e.is_read() && e.rmw && t.pure_since > i;
        if (gives_back ? is_newer(t, i) : e.is_read() && (loops ? is_outdated(e) : !graph_.co_last(e.rf)))
            return t.status != thread_status::sleeping || will_wake(t);
    }
    return false;
}

/// Whether the process of `t` was sent a signal that kills it, which it will find.
bool waiting_threads::will_be_killed(const thread_state& t) const {
    if (t.process == 0) return false;
    const location_id l = graph_.find(reinterpret_cast<std::uintptr_t>(&process::at(t.process).killed));
    if (l == none) return false;
    const auto& co = graph_.loc(l).co;
    return std::any_of(co.begin(), co.end(), [&](event_id w) {
        const value_t value = graph_.at(w).value;
        return value != 0 && (value & process::may_never_come) == 0;
    });
}

namespace {

bool is_in_timed_wait(const thread_state& t) { return t.what.awaits && !*t.what.awaits; }

} // namespace

/// Whether a thread that takes mutexes one by one waits for one that another thread has in std::lock(), and would have given
/// back: ../runtime/multi_locks.cpp.
bool waiting_threads::waits_for_step_back() const {
    return std::any_of(program_.begin(), program_.end(), [&](const thread_state& t) {
        if (t.status != thread_status::locking || t.what.act != action::lock || t.what.of_several != 0)
            return false;
        const event& taken = graph_.at(graph_.loc(graph_.find(t.what.address)).co.back());
        if (taken.thread == init_thread) return false;
        const thread_state& by = program_.thread(taken.thread);
        if (by.status != thread_status::locking || by.what.of_several == 0) return false;
        unsigned left = by.what.of_several - 1u; // its latest writes
        for (unsigned i = by.next_index; left != 0 && i-- > 1;) {
            const event& e = graph_.at(graph_.in_thread(by.id, i));
            if (e.kind != event_kind::write) continue;
            if (i == taken.index) return true;
            --left;
        }
        return false;
    });
}

/// When no thread can go on: is this the end of a branch whose reads were only stale, or would the
/// program hang? It hangs when every thread that waits has seen the latest there is.
std::optional<failure> waiting_threads::check_stuck(const std::function<bool(thread_id)>& polls) const {
    const thread_state* first = nullptr;
    for (const thread_state& th : program_)
        if (is_left_out(th.status)) return std::nullopt;
    if (waits_for_step_back()) return std::nullopt;
    for (thread_id t = 0; t < program_.thread_count(); ++t) {
        const thread_state& th = program_.thread(t);
        if (th.status != thread_status::awaiting && th.status != thread_status::waiting &&
            th.status != thread_status::locking && th.status != thread_status::sleeping)
            continue;
        if (can_go_on(th) || will_be_killed(th) || (is_in_timed_wait(th) && !polls(t))) return std::nullopt;
        if (!first) first = &th;
    }
    if (!first) return std::nullopt; // threads that join each other
    failure f;
    const bool locking = first->status == thread_status::locking && first->what.act == action::lock;
    f.kind = locking && !is_in_timed_wait(*first) ? failure_kind::deadlock : failure_kind::livelock;
    if (is_in_timed_wait(*first))
        f.message = "livelock: a loop waits with a time-out again and again, although nothing that it reads "
                    "changes any more";
    else if (first->what.awaits && first->status != thread_status::waiting)
        f.message = first->what.awaits;
    else
        f.message = locking ? "deadlock: a thread waits for a mutex that no one will unlock"
                            : "livelock: this loop never exits: it has already read the newest value of "
                              "every location it waits for";
    f.thread = first->id;
    f.site = first->what.site;
    f.address = first->what.address;
    return f;
}

} // namespace ringproof::verify
