// SPDX-License-Identifier: Apache-2.0
// Loops that poll with a lock held: `while (!queue.try_pop(x));`, where try_pop takes a mutex, looks, and lets go of it.
//
// Such an iteration writes, so it is none that idles. But it leaves what it wrote as it was: of each location its first
// access is a read-modify-write that reads w, and its last write has the value of w. Let there be no other effect: registers,
// stack and memory are as they were before, and no plain write but to its own stack was made. Then the execution
// without this iteration is one too, in which the thread comes later to the same place in the same state, provided
// that no other thread has noticed: has read one of the writes in between, as a try_lock that fails does, or has
// written between them. (One that waits for a lock does not, and is known by its blocked read: so without the reduction
// blocked-lock there is not this one either.) A thread that has read the last write reads w instead, the same value.
// Fewer events order less, so what is an error remains one; and the plain reads of the iteration are judged here, before
// the thread stops.
//
// The thread stops after the iteration. It goes on from there when another thread has noticed, once the others have done what
// they can; what it does then has to be noticed as well, or it stops again. Otherwise it waits: the executions in which
// others come before its iteration, and it sees what they did, are those in which its read of w is revisited or had another
// choice. When no other thread has written since to what it read, it waits for ever.
//
// What it does then depends on the events that noticed, as on what it reads: they are in its porf. Let the thread write x then,
// and let a third thread's read of x be older than the failed try that noticed. A revisit of that read deletes the events added
// later, and all of them must have been added maximally. The failed try was not. In the graph with a maximal try the
// thread does not go on, so it does not write x. With the try in the porf of the write, the revisit keeps it. A write that
// depends on a read cannot revisit it, so no possible revisit is lost. If one of several such events reads from that write
// instead, the execution is found from a graph in which this event had not noticed.
//
// Who notices may do so in such an iteration of his own: two threads that take two locks in different orders, as
// std::scoped_lock does, each take one and fail to get the other. Then the execution without both is one. So does one who
// waits until the lock is free. So an event does not count while its thread has stopped behind the iteration that it
// is of: whatever comes, that thread goes on only by seeing something else. But what it read behind the event, and others
// may write, they may write because they go on: then it counts. (Behind it, a lock that was had would be waited for instead,
// and one that was not had is free once its holder has stopped.) Once the thread has gone on, since it was noticed as
// well, the event counts, and who noticed that is in the porf, too. That readers of the last write read w holds for a w that
// is left out, too: it is then the last write of its iteration, as one in between is read by no read-modify-write here, and has
// the value of that one's w. None of them hangs: who notices has read what is not the latest.
//
// A share of a lock, or of a semaphore, is a step of a count (request::counts): many threads may have one at a time. Let
// all that the iteration wrote to such a word be steps which come to nothing, among steps of others. All of these are
// read-modify-writes, so without the iteration the others' follow each other in the same order, on a count that is another
// by what the iteration had taken meanwhile. A thread learns of its step no more than that it made it. So a step tells
// nothing, if it can be made on that other count: one that takes a share can while no thread writes, a semaphore's while there
// is one left. The iteration takes before it gives back: one that lends a share lets others go on that wait. Another thread
// notices the iteration by a try that fails, a look at the count, or a write that is no such step. A release sequence
// continues through read-modify-writes, so the execution without the iteration has the other threads' order.
//
// A thread that has stopped goes on when it is noticed; but who notices may do so because of what it did later: he
// reads `done`, which it stored behind the loop, and then an old value of the lock. Nothing orders the two, or he would read
// no old value. So where a thread polls, and some read is not ordered behind what it saw, the search begins anew, and
// judges each look at a polled location: by a thread that has what a poller did in its porf prefix, and not in its hb
// prefix. Were it to see one of the values in between, it would have to wait; otherwise the location is polled in
// executions of their own. That is enough: the execution without the iteration has that look, too, and is explored. Where it has
// what a poller did only by those who noticed, each of two would have to notice what the other did before he was noticed.
// Under weak models that may be: the search is bounded by it.

#include "restored_iterations.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace ringproof::verify {
namespace {

constexpr unsigned most_events = 24;    // of an iteration
constexpr std::size_t most_values = 16; // that a location has in between
constexpr std::uintptr_t word = 8;

} // namespace

/// Where an iteration ends: at the next read where it began, or where its thread stands.
unsigned restored_iterations::end_of(const iteration& of) const {
    const thread_state& t = program_.thread(of.thread);
    const event& head = event_of(t, of.from);
    for (unsigned i = of.from + 1; i < t.next_index; ++i) {
        const event& e = event_of(t, i);
        if (e.is_read() && !e.blocked && e.site == head.site && e.location == head.location) return i;
    }
    return t.next_index;
}

/// Whether an iteration has reads, and writes that leave each location as it was.
bool restored_iterations::gives_back(const iteration& of) const {
    const thread_state& t = program_.thread(of.thread);
    bool any = false;
    const unsigned end = end_of(of);
    for (unsigned i = of.from; i < end; ++i) {
        const event& e = event_of(t, i);
        if (e.is_read()) continue;
        // Of the program's own locks those that a store opens: additions that are taken back are undone_attempts.cpp's.
        if (e.kind != event_kind::write || e.mo == order::plain) return false;
        any = true;
        if (is_count(of, e.location)) {
            if (!takes_first(of, e.location) || added_until(of, e.location, end) != 0) return false;
            continue;
        }
        if (!restores(of, e.location)) return false;
    }
    return any;
}

/// Whether an iteration leaves in `l` what it has read there first, by a read-modify-write.
bool restored_iterations::restores(const iteration& of, location_id l) const {
    const thread_state& t = program_.thread(of.thread);
    const unsigned end = end_of(of);
    const event* first = nullptr; // read of the location
    const event* last = nullptr;  // write
    for (unsigned i = of.from; i < end; ++i) {
        const event& x = event_of(t, i);
        if (!x.is_access() || x.location != l) continue;
        if (x.kind == event_kind::write) {
            if (!first || !first->rmw) return false;
            last = &x;
        } else if (!first || !first->rmw) {
            first = &x;
        }
    }
    if (first->value != last->value || (!last->lock && last->rmw)) return false;
    // Who waits for a lock that the thread has goes on when it lets go of it in between.
    return !first->lock || !is_release(first->mo) || is_acquire(first->mo);
}

/// Whether what an iteration wrote to `l` are steps of a count. Of its own it may know more: std::counting_semaphore's tries
/// are a look and an exchange.
bool restored_iterations::is_count(const iteration& of, location_id l) const {
    const thread_state& t = program_.thread(of.thread);
    const unsigned end = end_of(of);
    bool counts = false;
    for (unsigned i = of.from; i < end; ++i) {
        const event& e = event_of(t, i);
        if (e.kind != event_kind::write || e.location != l) continue;
        if (!e.rmw) return false;
        counts = counts || e.counts;
    }
    return counts;
}

/// What the steps of an iteration, up to its event `until`, have added to the count `l`.
std::int64_t restored_iterations::added_until(const iteration& of, location_id l, unsigned until) const {
    const thread_state& t = program_.thread(of.thread);
    std::int64_t added = 0;
    for (unsigned i = of.from; i < until; ++i)
        if (const event& e = event_of(t, i); e.kind == event_kind::write && e.location == l)
            added += static_cast<std::int64_t>(e.value) -
                     static_cast<std::int64_t>(event_of(t, i - 1).value); // the read before it
    return added;
}

/// Whether an iteration gives back to the count `l` no more than it has taken by then. One that lends a share lets others go on
/// that wait.
bool restored_iterations::takes_first(const iteration& of, location_id l) const {
    const thread_state& t = program_.thread(of.thread);
    const unsigned end = end_of(of);
    std::int64_t taken = 0;
    for (unsigned i = of.from; i < end; ++i) {
        const event& e = event_of(t, i);
        if (e.kind != event_kind::write || e.location != l) continue;
        const std::int64_t share = std::abs(added_until(of, l, i + 1) - added_until(of, l, i));
        taken += is_release(e.mo) ? -share : share;
        if (taken < 0) return false;
    }
    return true;
}

/// Calls `f` with each write of a location from an iteration's first one to the one before its last, in coherence order, and
/// with what the iteration has added to it by then, if it is a count.
template <class Function>
void restored_iterations::each_write_between(const iteration& of, Function f) const {
    const thread_state& t = program_.thread(of.thread);
    const unsigned end = end_of(of);
    for (unsigned i = of.from; i < end; ++i) {
        const event& e = event_of(t, i);
        if (e.kind != event_kind::write) continue;
        unsigned next = i + 1;
        while (next < end &&
               (event_of(t, next).kind != event_kind::write || event_of(t, next).location != e.location))
            ++next;
        if (next == end) continue; // it is the last one
        std::optional<std::int64_t> added;
        if (is_count(of, e.location)) added = added_until(of, e.location, i + 1);
        const auto& co = graph_.loc(e.location).co;
        const std::uint32_t until = graph_.co_place(graph_.in_thread(of.thread, next));
        for (std::uint32_t place = graph_.co_place(graph_.in_thread(of.thread, i)); place < until; ++place)
            f(graph_.at(co[place]), added);
    }
}

/// Whether `e`, a write to a count that is `added` more because of an iteration of another thread, would be made in the same
/// way without it.
bool restored_iterations::counts_as_well(const event& e, std::int64_t added) const {
    if (!e.rmw || added == 0) return e.rmw;
    const event& read = graph_.at(graph_.in_thread(e.thread, e.index - 1u));
    return e.counts && (added < 0 || std::min(e.value, read.value) >= static_cast<value_t>(added));
}

/// The events of other threads that tell that there was an iteration: that read what it wrote over again, or wrote before
/// it did so.
std::vector<const event*> restored_iterations::noticed_by(const iteration& of) const {
    std::vector<const event*> found;
    each_write_between(of, [&](const event& e, const std::optional<std::int64_t>& added) {
        if (e.thread != of.thread && !(added && counts_as_well(e, *added)) && !tells_nothing(e))
            found.push_back(&e);
        if (added != 0) add_readers(e, of.thread, found); // otherwise the same is there without it
    });
    return found;
}

/// The words that threads other than `t` have written since its event `e`, behind what it knew of. @return nothing when
/// that is not known
std::optional<std::vector<std::uintptr_t>> restored_iterations::written_by_others(const thread_state& t,
                                                                                  const event& e) const {
    std::vector<std::uintptr_t> words;
    for (thread_id u = 0; u < program_.thread_count(); ++u) {
        if (u == t.id) continue;
        const auto note = [&](std::uintptr_t address, std::uint8_t, const plain_access&) {
            words.push_back(address / word);
            return true;
        };
        if (!races_.shadow().each_write_since(log_before(e), u, 0, note)) return std::nullopt;
    }
    for (location_id l = 0; l < graph_.locations(); ++l)
        for (const event_id w : graph_.loc(l).co) {
            const event& written = graph_.at(w);
            if (written.thread != t.id && written.thread != init_thread &&
                !e.porf().includes(written.thread, written.index))
                words.push_back(graph_.loc(l).address / word);
        }
    return words;
}

/// Whether `t` stands before its event `e` as it did then, and so does memory, but for what others have written since. A
/// library that the checker doesn't see may have changed that for `t`.
bool restored_iterations::came_back_to(thread_state& t, const event& e) {
    const saved_state then = state_before(e);
    const thread_state& before = program_.images().thread_of(then, t.id);
    if (!same_request(before.what, t.what) || before.hook_frame != t.hook_frame ||
        !same_beside_the_stack(before, t) || has_written(t, e))
        return false;
    std::optional<std::vector<std::uintptr_t>> by_others;
    bool asked = false;
    const auto may_differ = [&](std::uintptr_t address) {
        if (!asked) by_others = written_by_others(t, e);
        asked = true;
        return by_others &&
               std::find(by_others->begin(), by_others->end(), address / word) != by_others->end();
    };
    return same_state_as(t, then, may_differ) &&
           // A replay asks at its end, when others have gone on; the search has compared.
           (facts_.tracing || program_.same_memory(then, t) || !wrote_unseen(t, e.index));
}

/// Adds those who noticed the iteration, and those who let threads go on that noticed it in such an iteration themselves.
void restored_iterations::add_who_noticed(const iteration& of, std::vector<const event*>& all) {
    for (const event* const by : noticed_by(of)) {
        if (std::find(all.begin(), all.end(), by) != all.end()) continue;
        all.push_back(by);
        const event* const behind = went_on_behind(*by);
        if (!behind) continue;
        if (behind->noticed == event::behind_vain_wake)
            runtime_.bound("a poll was noticed between waits that ended early, which were noticed as well");
        else
            add_who_noticed({by->thread, behind->index - behind->noticed}, all);
    }
}

std::vector<restored_iterations::polled_location>::iterator restored_iterations::polled_at(location_id l) {
    return std::find_if(polled_.begin(), polled_.end(),
                        [&](const polled_location& p) { return p.address == graph_.loc(l).address; });
}

bool restored_iterations::is_given_up(const iteration& of) {
    bool is = false;
    each_write_between(of, [&](const event& e, const std::optional<std::int64_t>&) {
        const auto at = polled_at(e.location);
        is = is || (at != polled_.end() && at->given_up);
    });
    return is;
}

/// From now on no iteration is left out that writes where this one does.
void restored_iterations::give_up(const iteration& of) {
    each_write_between(of, [&](const event& e, const std::optional<std::int64_t>&) {
        if (const auto at = polled_at(e.location); at != polled_.end()) at->given_up = true;
    });
    throw anew{};
}

/// Notes what the iteration wrote in between. @return whether its locations may be polled
bool restored_iterations::note_polls(const iteration& of) {
    bool may = true, more = false;
    each_write_between(of, [&](const event& e, const std::optional<std::int64_t>&) {
        auto at = polled_at(e.location);
        if (at == polled_.end()) {
            polled_.push_back({graph_.loc(e.location).address, 0, false, {}});
            at = polled_.end() - 1;
        }
        may = may && !at->given_up;
        const std::uint32_t thread = 1u << of.thread;
        const bool known = std::find(at->between.begin(), at->between.end(), e.value) != at->between.end();
        more = more || !known || (at->threads & thread) == 0;
        if (!known) at->between.push_back(e.value);
        at->threads |= thread;
        if (at->between.size() > most_values) at->given_up = true;
    });
    if (!may) return false;
    // Looks that were judged have to be judged with these values as well.
    if (judges_ && more) throw anew{};
    if (!judges_ && facts_.result.unordered_reads) {
        judge_from_now_on();
        of_the_whole_ = true;
        throw anew{};
    }
    return true;
}

bool restored_iterations::must_begin_to_judge(const exploration_result& all) {
    if (judges_ || !all.unordered_reads || all.stopped || all.error.kind != failure_kind::nothing)
        return false;
    for (const auto& [what, times] : all.assumptions)
        if (what.first == assumption::restored_iteration) {
            judge_from_now_on();
            return true;
        }
    return false;
}

/// What `t` knows by reads, creations and joins alone: its porf, without those who have noticed something.
thread_clocks restored_iterations::known_by_reads(const thread_state& t) const {
    thread_clocks known;
    const auto porf = known.porf();
    std::vector<thread_id> left{t.id};
    porf.set(t.id, t.next_index - 1u);
    thread_clocks seen; // whose events have been followed
    while (!left.empty()) {
        const thread_id u = left.back();
        left.pop_back();
        const auto upto = porf[u];
        for (auto i = static_cast<unsigned>(seen.porf()[u]) + 1; static_cast<lane>(i) <= upto; ++i) {
            const event& e = event_of(program_.thread(u), i);
            const auto know = [&](event_id from) {
                const event& f = graph_.at(from);
                if (f.thread == init_thread || porf.includes(f.thread, f.index)) return;
                porf.set(f.thread, f.index);
                left.push_back(f.thread);
            };
            if (const event_id from = e.is_read() ? e.rf : e.peer; from != none) know(from);
            if (e.is_read() && graph_.at(e.rf).update) graph_.each_read(e, know);
        }
        seen.porf().set(u, static_cast<unsigned>(upto));
    }
    return known;
}

/// Whether `by` polled, at some place that `t` knows of, by `known`, without being ordered behind it, and an iteration that was
/// left out there could be seen at `l`. What it wrote lies in coherence order behind what `by` looked at there before, and so
/// not behind what `by` looked at next.
bool restored_iterations::may_tell(const thread_state& t, thread_clock known, thread_id by,
                                   location_id l) const {
    const thread_state& poller = program_.thread(by);
    const std::uint32_t first = model::first_coherent<thread_clock>(graph_, l, t.clocks.hb());
    const auto is_polled = [&](const event& e) {
        return e.is_read() && std::any_of(polled_.begin(), polled_.end(), [&](const polled_location& p) {
                   return (p.threads >> by & 1) && p.address == graph_.loc(e.location).address;
               });
    };
    for (unsigned i = t.clocks.hb()[by] + 1u; static_cast<lane>(i) <= known[by]; ++i) {
        if (!is_polled(event_of(poller, i))) continue;
        unsigned next = i;
        while (next < poller.next_index &&
               !(event_of(poller, next).is_read() && event_of(poller, next).location == l))
            ++next;
        if (next == poller.next_index || graph_.co_place(event_of(poller, next).rf) >= first) return true;
    }
    return false;
}

void restored_iterations::judge_look(const thread_state& t, const std::function<bool(value_t)>& waits) {
    // A step of a count that can be made there tells no more than one between those of an iteration does.
    const auto tells_nothing = [&](value_t seen) {
        return waits(seen) || (t.what.counts && !is_taken(t.what, seen));
    };
    for (polled_location& p : polled_) {
        if (p.address != t.what.address || p.given_up) continue;
        const location_id l = graph_.find(p.address);
        for (thread_id by = 0; by < program_.thread_count(); ++by) {
            if (by == t.id || !(p.threads >> by & 1) || !may_tell(t, t.clocks.porf(), by, l) ||
                std::all_of(p.between.begin(), p.between.end(), tells_nothing))
                continue;
            if (may_tell(t, known_by_reads(t).porf(), by, l)) {
                p.given_up = true;
                throw anew{};
            }
            runtime_.bound("polls may be noticed by who went on for another one that was noticed");
        }
    }
}

thread_status restored_iterations::left_all(thread_state& t, bool goes_on) {
    if (!facts_.limits.reduce.restored_iteration || !facts_.limits.reduce.blocked_lock || facts_.interrupts ||
        (!t.goes_round && !(t.places & place_bit(t.what.site))) || execution_.writing() != no_thread)
        return thread_status::ready;
    if (program_.own_stack(t).size() == 0) return thread_status::ready; // where it stands is not known
    for (unsigned i = t.next_index; i-- > 1 && t.next_index - i <= most_events;) {
        const event& e = event_of(t, i);
        if (e.kind != event_kind::read && e.kind != event_kind::write) break;
        if (!e.is_read() || !e.rmw || e.site != t.what.site || e.node == none) continue;
        const iteration last{t.id, i};
        const thread_state& before = program_.images().thread_of(state_before(e), t.id);
        if (!same_request(before.what, t.what) || before.hook_frame != t.hook_frame || !gives_back(last))
            continue;
        if (is_given_up(last) || !came_back_to(t, e)) break;
        if (!left_out_.may_leave_out(t, i) || !note_polls(last)) continue;
        std::vector<const event*> by;
        if (goes_on) add_who_noticed(last, by);
        if (!by.empty()) {
            // This one stays; an earlier one may be noticed no more, as who did was revisited.
            if (t.next_index - i >= event::behind_vain_wake)
                give_up(last); // event::noticed has no room for it
            go_on_for(t, by, static_cast<std::uint8_t>(t.next_index - i));
            continue;
        }
        t.waiting_from = i;
        facts_.take_for_granted(assumption::restored_iteration, e.site);
        return thread_status::waiting;
    }
    return thread_status::ready;
}

} // namespace ringproof::verify
