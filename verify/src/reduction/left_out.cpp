// SPDX-License-Identifier: Apache-2.0
// Iterations of loops that have no effect are left out by several reductions: the execution has a twin without the
// iteration, in which all threads do the same from there on. But one thing the twin does not do: it does not make the
// iteration's accesses. Mostly that hides nothing. The iteration is explored up to its end, where its thread stops, and so
// is whatever other threads do beside it, with each race. What is not explored is what they do once they have seen that the
// loop is over:
//
//     while (!flag.load(acquire)) x = 0;            flag.store(1, release);
//     done.store(1, relaxed);                       if (done.load(relaxed)) use(x);
//
// Here the write of x races with its use, where the loop goes round once. Were `done` stored with release, the use would be
// ordered behind it.
//
// What is missed. Let F be the smallest graph of the program with a race that is not explored. Its accesses are a, of a
// thread T, and b, of U. Since F is not explored, it goes on behind iterations that are left out. Each of them has a
// or b in it: without it there would be a smaller graph with the race. b is the last access of U (what comes after it can be
// taken off), so no loop of U goes on behind it: it is T's iterations that have a in them. Let i be the place where such an
// iteration began, and F' the twin without it. In F', b knows of the event that is now at i (it is in b's porf-prefix;
// otherwise what T does behind the iteration could be taken off F), and is not ordered behind it (or F would order a before
// b). F' is explored, or F' without further iterations of T is, where the event at the place where the last one of them
// began takes the part of the one at i.
//
// And b is not in the porf-prefix of a: otherwise it is explored together with the iteration. So b does not access memory that U
// has allocated and not published before b, such as a node that is not linked into its list yet: T does not know its address.
//
// And a is not an access that T made in the same way before the iteration, if between the two T has only reads, and fences that
// do not release. Call the earlier access a'. Whatever happens after a' then happens after a, so a' races with b in F, and in F'
// as well. An example is the link of a new node, which each failed attempt to push it writes again.
//
// So two sets are collected: what iterations that are left out access, with the places where they begin; and what threads
// access that know of events without being ordered behind them, with the places of those events. Where these meet
// (hidden_races::possible()), a race may have been missed. The search begins anew, and keeps iterations. In programs that
// synchronise by what they read, the second set is empty.
//
// A search that keeps iterations leaves one out only where its thread has kept one before that made the same accesses and had
// no effect either. Then no race is missed. Let F be the smallest graph again, with a in an iteration of T that is left out.
// T has kept one before, with an access like a. F without that one is smaller, its threads do the same, it has a and b
// as they were, and orders no more. So it has the race, and F was not the smallest.
//
// A search also drops branches: where the last read of such an iteration is of an old value, and was added so, no write will
// revisit it, and the branch has no end. There other threads do not go on, and do not race with the iteration. So a branch is
// dropped only where no other thread has made an access, in any execution so far, that could race with one of the
// iteration's. So is a read that ends an iteration and is given up until there is a newer write, with what its thread accessed
// behind it. An access that comes later is noticed, and the search begins anew, and drops none. (A thread's access to
// memory that it has allocated and not published is not noted.) A stopped search stores what its dropped branches accessed. The
// search that resumes it drops none: it does not know who accessed what before.
//
// What T accesses on its own stack is noted by its granules once another thread was seen to know an address there, and
// before that as one place, the stack. U's access of T's stack is noted as both.
//
// Places are compared for each kind of access, by a hash of 64 values, granules beyond the first few thousand not at all, and
// of alike threads, which change places, memory counts as that of the first. Each makes the search keep iterations where it
// need not. But one thing stays as it is when T and a thread W alike to it change places: whether memory is T's own (its stack,
// its heap, what std::thread made of its function) or W's. So accesses by T of its own are compared with those by U that
// knows of T, but not where U accesses what is W's own: that is another place.

#include "left_out.hpp"

#include <algorithm>
#include <bit>

namespace ringproof::verify {

/// The first event of `t` behind which it did nothing, up to its event `end`, that others can order themselves by.
unsigned left_out_iterations::told_nothing_since(const thread_state& t, unsigned end) const {
    while (end > 1) {
        const event& e = graph_.at(graph_.in_thread(t.id, end - 1));
        const bool says_nothing = e.kind == event_kind::fence ? !is_release(e.mo) : e.is_read() && !e.rmw;
        if (!says_nothing) break;
        --end;
    }
    return end;
}

/// What `t` accessed in its events from `first` up to `end`, and behind each of them before the next, but for what it
/// allocated meanwhile, and for what it had accessed before in the same way. @param atomics of which events on atomic ones count
left_out_iterations::accesses left_out_iterations::accesses_of(const thread_state& t, unsigned first,
                                                               unsigned end, unsigned atomics) const {
    accesses made;
    const memory_range own = program_.memory().stack(t.id), heap = program_.memory().whole_heap(t.id);
    std::size_t log = 0;
    std::uintptr_t fresh = heap.end;
    if (const event& e = graph_.at(graph_.in_thread(t.id, first)); e.node != none) {
        const kept_state from = execution_.states().before(e);
        log = from.log;
        fresh = program_.images().heap_end(from.state, t.id);
    }
    const bool known_stack = program_.images().is_watched(t.id);
    const auto note = [&](std::uintptr_t granule, const plain_access& a) {
        if (a.index >= end || (granule >= fresh && granule < heap.end)) return;
        const bool unknown = !known_stack && own.contains(granule);
        made[unknown ? races_.unknown_stack_of(t.id) : granule].add(
            a.write ? access_kind::plain_write : access_kind::plain_read, unknown ? 0xff : a.mask);
    };
    races_.shadow().each_new_access_since(log, t.id, first, told_nothing_since(t, end), note);
    for (unsigned i = std::max(first, atomics); i < end; ++i) {
        const event& e = graph_.at(graph_.in_thread(t.id, i));
        if (!e.is_access() || !graph_.loc(e.location).in_memory) continue;
        const bool write = e.kind == event_kind::write;
        each_granule(graph_.loc(e.location).address, e.size, [&](std::uintptr_t granule, std::uint8_t mask) {
            made[granule].add(write ? access_kind::atomic_write : access_kind::atomic_read, mask);
            return false;
        });
    }
    return made;
}

/// Whether `t` has kept an iteration before that made the same accesses. Where it has not, this one is kept.
bool left_out_iterations::was_kept_before(thread_state& t, unsigned first, unsigned end,
                                          const accesses& made) {
    std::uint64_t digest = 1;
    for (const auto& [granule, by] : made) {
        const auto bytes = std::bit_cast<std::uint32_t>(by.bytes);
        for (const std::uint64_t word : {std::uint64_t{granule}, std::uint64_t{bytes}})
            digest = (digest ^ word) * 0x9e37'79b9'7f4a'7c15u, digest ^= digest >> 29;
    }
    const auto kept_end = t.kept.begin() + t.kept_count;
    const auto known =
        std::find_if(t.kept.begin(), kept_end, [&](const kept_iteration& k) { return k.accesses == digest; });
    if (known != kept_end) return known->end <= first;
    if (t.kept_count == t.kept.size()) {
        runtime_.bound("more kinds of iterations of waiting loops that may race than are told apart");
        return true;
    }
    t.kept[t.kept_count++] = {digest, end};
    t.dirty = true;
    return false;
}

/// A revisit takes events off and makes some of them again: their thread has kept what it had kept.
void left_out_iterations::note_kept() {
    noted_.clear();
    for (const thread_state& t : program_)
        for (unsigned i = 0; i < t.kept_count; ++i) noted_.push_back({t.id, t.kept[i]});
}

void left_out_iterations::keep_again() {
    for (const auto& noted : noted_) {
        thread_state& t = program_.thread(noted.first);
        const kept_iteration& kept = noted.second;
        const auto end = t.kept.begin() + t.kept_count;
        const auto is_this = [&](const kept_iteration& k) { return k.accesses == kept.accesses; };
        if (kept.end > t.next_index || std::any_of(t.kept.begin(), end, is_this)) continue;
        t.kept[t.kept_count++] = kept;
        t.dirty = true;
    }
}

bool left_out_iterations::may_leave_out(thread_state& t, unsigned first, unsigned end) {
    if (facts_.tracing) return true; // whether a thread hangs is asked
    const accesses made = accesses_of(t, first, end);
    if (keeps()) return made.empty() || was_kept_before(t, first, end, made);
    const std::uint64_t begins_at = hidden_races::bit_of(graph_.at(graph_.in_thread(t.id, first)).site);
    for (const auto& [granule, by] : made)
        races_.each_granule_left_out(granule, t, [&, &noted = by](std::uintptr_t common) {
            facts_.result.hidden.note_left_out(common, {noted, begins_at});
        });
    return true;
}

bool left_out_iterations::may_drop_branch(const thread_state& t, unsigned first) {
    return drop(t, accesses_of(t, first, t.next_index));
}

bool left_out_iterations::may_drop_behind(const thread_state& t, const event& e) {
    return facts_.tracing || drop(t, accesses_of(t, e.index, t.next_index, e.index + 1u));
}

/// Notes that `t` made these in a branch that is dropped, if it may be.
bool left_out_iterations::drop(const thread_state& t, const accesses& made) {
    if (!may_drop(t, made)) return false;
    note_dropped(t, made);
    return true;
}

left_out_iterations::accesses
left_out_iterations::accesses_in_trial(const thread_state& t, const std::vector<tried_access>& all) const {
    accesses made;
    made[races_.unknown_stack_of(t.id)].add(access_kind::plain_read, 0xff); // not each access of it is noted
    const memory_range own = program_.memory().stack(t.id);
    for (const tried_access& a : all) {
        if (own.contains(a.address)) continue;
        each_granule(a.address, a.size, [&](std::uintptr_t granule, std::uint8_t mask) {
            made[granule].add(a.write ? access_kind::plain_write : access_kind::plain_read, mask);
            return false;
        });
    }
    return made;
}

bool left_out_iterations::may_drop_accesses(const thread_state& t,
                                            const std::vector<tried_access>& all) const {
    return !program_.images().is_watched(t.id) && may_drop(t, accesses_in_trial(t, all));
}

void left_out_iterations::note_dropped(const thread_state& t, const std::vector<tried_access>& all) {
    note_dropped(t, accesses_in_trial(t, all));
}

bool left_out_iterations::may_race(const thread_state& t, const accesses& made) const {
    return std::any_of(made.begin(), made.end(), [&](const auto& one) {
        return races_.history().may_race(races_.common_granule(one.first), one.second,
                                         races_.in_history(t, one.first));
    });
}

bool left_out_iterations::may_drop(const thread_state& t, const accesses& made) const {
    return made.empty() || (drops_ == branches::dropped && !facts_.tracing && !may_race(t, made));
}

void left_out_iterations::note_dropped(const thread_state& t, const accesses& made) {
    for (const auto& [granule, by] : made) {
        accessing_threads who;
        const std::uint8_t thread = races_.in_history(t, granule);
        for (unsigned k = 0; k < who.by.size(); ++k) who.by[k] = by.bytes[k] != 0 ? thread : who.nobody;
        races_.history().note_dropped(races_.common_granule(granule), who);
        facts_.result.hidden.note_in_dropped(races_.common_granule(granule), who);
    }
    // Another process may have noted one between the two.
    if (may_race(t, made)) facts_.result.hidden.dropped = true;
}

/// The last event of `t` is a read that ends such an iteration, and is given up: what is lost are the accesses behind it.
bool left_out_iterations::may_give_up_read(const thread_state& t, const kept_state& before) {
    const unsigned read = t.next_index - 1u;
    return races_.shadow().repeats_since(before.log, t.id, read, t.pure_since,
                                         program_.images().heap_end(before.state, t.id)) ||
           may_drop_branch(t, read);
}

static bool is_verified(const exploration_result& r) {
    return !r.stopped && r.error.kind == failure_kind::nothing;
}

bool left_out_iterations::must_begin_to_drop_none(const exploration_result& so_far) {
    if (drops_ == branches::never_dropped || !is_verified(so_far) || !so_far.hidden.dropped) return false;
    drops_ = branches::never_dropped;
    return true;
}

bool left_out_iterations::must_begin_to_keep(const exploration_result& so_far) {
    if (keeps_ || !is_verified(so_far) || !so_far.hidden.possible()) return false;
    return keeps_ = true;
}

} // namespace ringproof::verify
