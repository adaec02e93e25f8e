// SPDX-License-Identifier: Apache-2.0
// What a stale iteration can still come to, by trials: its thread goes on from the read that no revisit changes, and sees each
// value that the location of its next read has in any execution. stale_iterations.cpp says why that is all.
//
// Threads come round with the same reads in many executions, so what was found is remembered. It depends on the thread's stack and
// registers before the two reads from which it is run, on memory, on the values that are known and on
// those that are excluded: of these the key is a hash. (--no-reduction tried-look: nothing is remembered.)

#include "stale_iterations.hpp"

#include <algorithm>

namespace ringproof::verify {

namespace {

constexpr std::size_t most_reads = 4;            // behind iteration::from
constexpr unsigned most_trials = 300;            // for an iteration
constexpr std::size_t most_remembered = 1 << 16; // 6 MB

/// What a failed read of it orders.
order order_of(const request& what) { return what.act == action::compare ? what.mo_fail : what.mo; }

void add(memory_digest& to, value_t value) {
    to.add(static_cast<std::uint64_t>(value));
    to.add(static_cast<std::uint64_t>(value >> 64));
}

} // namespace

/// Whether a place at which `t` is now, or made its last read, is one where it was before: in a loop. Two looks where there is
/// none are the program's, see retried_iterations.cpp.
bool stale_iterations::goes_round(const thread_state& t) const {
    const auto was_at = [&](const request& what) {
        return std::any_of(asked_.begin(), asked_.end() - 1, [&](const request& earlier) {
            return earlier.site == what.site && earlier.frame == what.frame;
        });
    };
    return was_at(asked_.back()) || was_at(t.what) || t.what.site == asked_.back().site;
}

/// Whether `t` is where it was before the iteration (idle_iterations.cpp), or would be had the first read seen what the last
/// one saw, and ordered no less (retried_iterations.cpp).
bool stale_iterations::has_come_round(thread_state& t, const iteration& i, const saved_state& here) {
    const reductions& reduce = facts_.limits.reduce;
    const event& first = event_of(t, i.first);
    const saved_state before = state_before(first);
    if (path_.empty() || !program_.same_memory(here, t) || !program_.images().same_heaps(here)) return false;
    if (reduce.idle_iteration && same_request(t.what, program_.images().request_of(before, t.id)) &&
        same_state_as(t, before))
        return true;
    const request& last = asked_.back();
    const bool locked = last.act != action::load || last.of_rmw;
    if (!reduce.retried_iteration || last.address != graph_.loc(first.location).address ||
        order_of(last) < first.mo || (first.locked && !locked) || !goes_round(t))
        return false;
    const thread_state now = t;
    const memory_range own = program_.own_stack(t);
    stack_copy_.take(own, t);
    return go_on_from(t, first, path_.back().value) && t.pending && same_request(t.what, now.what) &&
           t.hook_frame == now.hook_frame && same_beside_the_stack(t, now) && same_as_taken(t, own) &&
           program_.same_memory(here, t);
}

/// Lets `t` make the iteration up to the read at iteration::from, and then read what is on the path.
stale_iterations::step stale_iterations::go_along(thread_state& t, const iteration& i) {
    step s;
    ++trials_;
    accessed_.clear();
    asked_.clear();
    const struct back {
        search_facts& facts;
        ~back() { facts.tried = nullptr; } // also when the search begins anew from within
    } later{facts_};
    execution_.speculate([&](const saved_state& here) {
        facts_.tried = &accessed_;
        program_.restore_one(state_before(event_of(t, i.first)), t.id);
        const auto read = [&](value_t value, bool spurious) {
            asked_.push_back(t.what);
            execution_.go_on_with(t, value, spurious);
        };
        for (unsigned k = i.first; k <= i.from; ++k)
            if (const event& e = event_of(t, k); !e.blocked) read(e.value, false);
        for (const trial_read& next : path_) read(next.value, next.spurious);
        facts_.tried = nullptr;
        if (!t.pending || t.what.act == action::fail || !left_out_.may_drop_reads(t, accessed_)) return false;
        s.asked = t.what;
        s.at = has_come_round(t, i, here) ? arrival::round : arrival::asks;
        return true;
    });
    return s;
}

/// Whether `l` has such a write that was there before `from`, and that other threads can read.
bool stale_iterations::is_there_for_good(location_id l, value_t value, const event& from) const {
    const auto first = known_values::first_for_all(graph_.loc(l), program_.thread(1).created);
    return std::any_of(first, graph_.loc(l).co.end(), [&](event_id w) {
        return graph_.at(w).stamp <= from.stamp && graph_.at(w).value == value;
    });
}

/// Case (1): whether the next read behind the path, of the location `l`, sees `value` only on other ways on from its node:
/// where up to the path the reads are those that the thread has made, it is revisited by what is not there yet.
bool stale_iterations::is_excluded(const thread_state& t, const iteration& i, location_id l,
                                   value_t value) const {
    unsigned k = i.from + 1;
    for (const trial_read& next : path_) {
        if (k == i.end || next.spurious || event_of(t, k).value != next.value) return false;
        ++k;
    }
    return k != i.end && event_of(t, k).location == l && event_of(t, k).value != value &&
           is_there_for_good(l, value, event_of(t, i.from));
}

bool stale_iterations::fails_with(thread_state& t, const iteration& i, trial_read next) {
    path_.push_back(next);
    const bool fails = fails_from_here(t, i);
    path_.pop_back();
    return fails;
}

bool stale_iterations::fails_from_here(thread_state& t, const iteration& i) {
    const step s = go_along(t, i);
    if (s.at == arrival::round) return true;
    const request& asked = s.asked;
    const bool compares = asked.act == action::compare;
    if (s.at == arrival::elsewhere || (asked.act != action::load && !compares) || asked.frame == 0 ||
        asked.parts > 1 || path_.size() == most_reads || trials_ > most_trials)
        return false;
    const location_id l = graph_.find(asked.address);
    if (l == none || !graph_.loc(l).in_memory || graph_.loc(l).size != asked.size || graph_.loc(l).over)
        return false;
    const known_values::values* const known = values_at(asked.address);
    if (!known) return false;
    const event& from = event_of(t, i.from);
    const std::vector<value_t> all = known->all; // a trial may ask for the values of another location
    return std::all_of(all.begin(), all.end(), [&](value_t v) {
        if (!i.for_good && is_excluded(t, i, l, v)) return true;
        if (!compares || v != asked.expected) return fails_with(t, i, {v, false});
        // It would succeed, but for case (2), where it may still fail spuriously.
        return i.for_good && l == from.location && v == from.value &&
               (!asked.weak || fails_with(t, i, {v, true}));
    });
}

/// Adds all that the trials depend on. @return false where that is too much
bool stale_iterations::add_to(memory_digest& digest, const thread_state& t, const iteration& i) const {
    if (!program_.images().add_to(digest, program_.begin(), program_.thread_count(), t.id)) return false;
    for (const std::uint64_t word : {std::uint64_t{t.id}, std::uint64_t{values_.changes()},
                                     std::uint64_t{i.from - i.first}, std::uint64_t{i.for_good}})
        digest.add(word);
    for (const unsigned k : {i.first, i.from}) {
        const saved_state before = state_before(event_of(t, k));
        const image_store::stack_image stack = program_.images().stack_of(before, t.id);
        digest.add(stack.bytes, stack.size);
        digest.add(stack.random);
        digest.add(&stack.floats, sizeof stack.floats);
        const request& asked = program_.images().request_of(before, t.id);
        for (const std::uint64_t word :
             {std::uint64_t{asked.site}, std::uint64_t{asked.address}, std::uint64_t(asked.act)})
            digest.add(word);
    }
    for (unsigned k = i.from; k < i.end; ++k) {
        const event& e = event_of(t, k);
        digest.add(graph_.loc(e.location).address);
        add(digest, e.value);
        for (const value_t v : values_.find(graph_.loc(e.location).address)->all)
            digest.add(is_there_for_good(e.location, v, event_of(t, i.from)));
    }
    return true;
}

bool stale_iterations::fails_whatever_it_reads(thread_state& t, const iteration& i) {
    trials_ = 0;
    path_.clear();
    memory_digest digest;
    if (!facts_.limits.reduce.tried_look || !add_to(digest, t, i)) return fails_from_here(t, i);
    if (const auto known = tried_.find(digest.result()); known != tried_.end()) return known->second;
    const bool fails = fails_from_here(t, i);
    if (tried_.size() < most_remembered) tried_.emplace(digest.result(), fails);
    return fails;
}

} // namespace ringproof::verify
