// SPDX-License-Identifier: Apache-2.0
// What a stale iteration can still come to, by trials: its thread goes on from the read that no revisit changes, and sees each
// value that the location of its next read has in any execution. stale_iterations.cpp says why that is all.
//
// Threads come round with the same reads in many executions, so what was found is remembered. It depends on the thread's stack and
// registers before the two reads from which it is run, on memory, on the values that are known and on
// those that are excluded: of these the key is a hash. What others access meanwhile it does not depend on: that is asked each
// time. (--no-reduction tried-look: nothing is remembered.)

#include "stale_iterations.hpp"

#include <algorithm>

namespace ringproof::verify {

namespace {

constexpr std::size_t most_reads = 4;            // behind iteration::from
constexpr unsigned most_trials = 300;            // for an iteration
constexpr std::size_t most_remembered = 1 << 16; // 6 MB

/// What a failed read of it orders.
order order_of(const request& what) { return what.act == action::compare ? what.mo_fail : what.mo; }

/// Whether it is a read that ends somewhere.
bool is_look(const event& e) { return e.is_read() && !e.blocked; }

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
/// one saw, and ordered no less (retried_iterations.cpp). @param begun the state in which the trial began
bool stale_iterations::has_come_round(thread_state& t, const iteration& i, const saved_state& begun) {
    const reductions& reduce = facts_.limits.reduce;
    const event& first = event_of(t, i.first);
    const saved_state before = state_before(first);
    if (path_.empty() || !program_.images().same_heaps(begun)) return false;
    if (reduce.idle_iteration && same_request(t.what, program_.images().request_of(before, t.id)) &&
        same_state_as(t, before) && program_.same_memory(begun, t))
        return true;
    const request& last = asked_.back();
    const bool locked = last.act != action::load || last.of_rmw;
    return reduce.retried_iteration && last.address == graph_.loc(first.location).address &&
           order_of(last) >= first.mo && (!first.locked || locked) && goes_round(t) &&
           would_be_here(t, i, begun);
}

/// Whether `t` would be where it is, with the memory that there is, had the first read seen what the last one saw.
bool stale_iterations::would_be_here(thread_state& t, const iteration& i, const saved_state& begun) {
    const thread_state now = t;
    const memory_range own = program_.own_stack(t);
    stack_copy_.take(own, t);
    return execution_.speculate([&](const saved_state& here) {
        if (!take_back_writes(t, begun) || !program_.same_memory(begun, t)) return false;
        if (!go_on_from(t, event_of(t, i.first), value_of(path_.back().what))) return false;
        go_past_fences(t);
        return t.pending && same_request(t.what, now.what) && t.hook_frame == now.hook_frame &&
               same_beside_the_stack(t, now) && same_as_taken(t, own) && program_.same_memory(here, t);
    });
}

/// Puts back what `t` wrote with plain accesses in the trial. @return false where that is not known
bool stale_iterations::take_back_writes(const thread_state& t, const saved_state& begun) {
    const memory_range own = program_.memory().stack(t.id);
    for (const tried_access& a : accessed_) {
        if (!a.write || own.contains(a.address)) continue;
        const bool unknown = each_granule(a.address, a.size, [&](std::uintptr_t granule, std::uint8_t mask) {
            const char* const bytes = program_.images().bytes_of(begun, granule, 8);
            for (unsigned b = 0; bytes && b < 8; ++b)
                if (mask >> b & 1) *reinterpret_cast<char*>(granule + b) = bytes[b];
            return !bytes;
        });
        if (unknown) return false;
    }
    return true;
}

value_t stale_iterations::value_of(known_values::value_number what) const {
    return values_.at(what.location).all[what.value].seen;
}

/// Of what `read` has seen, whose location's values are known.
known_values::value_number stale_iterations::number_of(const event& read) const {
    const location& l = graph_.loc(read.location);
    const known_values::values& known = *values_.find(l.address);
    return {values_.number_of(known), known.number_of(known_values::value_of(graph_, l, graph_.at(read.rf)))};
}

/// @return whether one of them acquires
bool stale_iterations::go_past_fences(thread_state& t) {
    bool acquires = false;
    while (t.pending && t.what.act == action::fence) {
        acquires = acquires || is_acquire(t.what.mo);
        execution_.go_on_with(t, t.result);
    }
    return acquires;
}

/// @return false where it does something else, as a thread does that has failed: what others did meanwhile may race
bool stale_iterations::read(thread_state& t, const trial_read& next) {
    if (!t.pending || (t.what.act != action::load && t.what.act != action::compare)) return false;
    asked_.push_back(t.what);
    (is_acquire(order_of(t.what)) ? acquired_ : relaxed_).push_back(next.what);
    execution_.go_on_with(t, value_of(next.what), next.spurious);
    if (go_past_fences(t)) acquired_.insert(acquired_.end(), relaxed_.begin(), relaxed_.end());
    return true;
}

/// Adds what `t` accessed in the trial, but for its own stack, to what it accessed in others.
void stale_iterations::note_accessed(const thread_state& t) {
    const memory_range own = program_.memory().stack(t.id);
    for (const tried_access& a : accessed_)
        if (!own.contains(a.address) &&
            std::find(accessed_in_all_.begin(), accessed_in_all_.end(), a) == accessed_in_all_.end())
            accessed_in_all_.push_back(a);
}

/// Lets `t` make the iteration up to the read at iteration::from, and then read what is on the path.
stale_iterations::step stale_iterations::go_along(thread_state& t, const iteration& i) {
    step s;
    ++trials_;
    ++cost_;
    accessed_.clear();
    asked_.clear();
    acquired_.clear();
    relaxed_.clear();
    const struct back {
        search_facts& facts;
        ~back() { facts.tried = nullptr; } // also when the search begins anew from within
    } later{facts_};
    execution_.speculate([&](const saved_state& begun) {
        facts_.tried = &accessed_;
        program_.restore_one(state_before(event_of(t, i.first)), t.id);
        for (unsigned k = i.first; k <= i.from; ++k)
            if (const event& e = event_of(t, k); is_look(e) && !read(t, {number_of(e)})) return false;
        for (const trial_read& next : path_)
            if (!read(t, next)) return false;
        facts_.tried = nullptr;
        note_accessed(t);
        if (!t.pending || t.what.act == action::fail || !left_out_.may_drop_accesses(t, accessed_))
            return false;
        s.asked = t.what;
        s.at = has_come_round(t, i, begun) ? arrival::round : arrival::asks;
        return true;
    });
    return s;
}

/// Whether `l` has such a write that was there before `from`, and that other threads can read.
bool stale_iterations::is_there_for_good(const known_values::value& one, location_id l,
                                         const event& from) const {
    const auto first = known_values::first_for_all(graph_.loc(l), program_.thread(1).created);
    return std::any_of(first, graph_.loc(l).co.end(), [&](event_id w) {
        const event& e = graph_.at(w);
        return e.stamp <= from.stamp && known_values::value_of(graph_, graph_.loc(l), e) == one;
    });
}

/// The read that the thread has made where the path leads to, if it made all on the path; or null.
const event* stale_iterations::next_made(const thread_state& t, const iteration& i) const {
    unsigned k = i.from;
    const auto next = [&]() -> const event* {
        while (++k < i.end)
            if (is_look(event_of(t, k))) return &event_of(t, k);
        return nullptr;
    };
    const event* made = next();
    for (const trial_read& on_path : path_) {
        if (!made || !on_path.made) return nullptr;
        made = next();
    }
    return made;
}

/// Case (2): whether the value of the first read can no longer be exchanged: another read-modify-write has.
bool stale_iterations::is_exchanged(const thread_state& t, const iteration& i) const {
    const event& read = event_of(t, i.from);
    return graph_.at(graph_.loc(read.location).co[graph_.co_place(read.rf) + 1]).rmw;
}

/// Whether a compare-exchange that sees `next` succeeds. It does not in case (2), where another one has.
bool stale_iterations::succeeds(const thread_state& t, const iteration& i, const request& asked,
                                known_values::value_number next) const {
    if (asked.act != action::compare || value_of(next) != asked.expected) return false;
    const event& from = event_of(t, i.from);
    const bool is_exchange_of_old = i.for_good && asked.address == graph_.loc(from.location).address &&
                                    number_of(from).value == next.value;
    return !is_exchange_of_old || !is_exchanged(t, i);
}

bool stale_iterations::fails_with(thread_state& t, const iteration& i, const request& asked,
                                  trial_read next) {
    if (asked.act == action::compare && value_of(next.what) == asked.expected) {
        if (succeeds(t, i, asked, next.what)) return false;
        if (!asked.weak) return true;
        next.spurious = true;
    }
    path_.push_back(next);
    const bool fails = fails_from_here(t, i);
    path_.pop_back();
    return fails;
}

/// What the next read of the trial, of `l`, may see in any execution. @param made the one that the thread has made there, or null
std::vector<known_values::value_number> stale_iterations::readable(const thread_state& t, const iteration& i,
                                                                   location_id l, const event* made) const {
    const known_values::values& known = *values_.find(graph_.loc(l).address);
    // Case (2): up to A a read in the place of A is revisited.
    const unsigned least_rank =
        made && made->index <= i.knows
            ? known_values::known_to(graph_, graph_.loc(l), graph_.at(event_of(t, i.knows).rf)) + 1
            : 0;
    const unsigned made_value = made ? number_of(*made).value : known_values::unknown;
    std::vector<known_values::value_number> found;
    for (unsigned v = 0; v < known.all.size(); ++v) {
        const known_values::value_number next{values_.number_of(known), v};
        const auto goes_with = [&](known_values::value_number one) {
            return values_.are_coherent(one, next);
        };
        const auto is_released = [&](known_values::value_number one) {
            return values_.may_be_read(next, one);
        };
        // Case (1): it sees what was there on other ways on from its node. Where the thread has made all reads on the path, it
        // is revisited by what is not there yet.
        const bool is_excluded =
            made && !i.for_good && v != made_value && is_there_for_good(known.all[v], l, event_of(t, i.from));
        if (known.all[v].rank >= least_rank && !is_excluded &&
            std::all_of(relaxed_.begin(), relaxed_.end(), goes_with) &&
            std::all_of(acquired_.begin(), acquired_.end(), goes_with) &&
            std::all_of(acquired_.begin(), acquired_.end(), is_released))
            found.push_back(next);
    }
    return found;
}

bool stale_iterations::fails_from_here(thread_state& t, const iteration& i) {
    const step s = go_along(t, i);
    if (s.at == arrival::round) return true;
    const request& asked = s.asked;
    if (s.at == arrival::elsewhere || (asked.act != action::load && asked.act != action::compare) ||
        asked.frame == 0 || asked.parts > 1 || path_.size() == most_reads || trials_ > most_trials)
        return false;
    const location_id l = graph_.find(asked.address);
    if (l == none || !graph_.loc(l).in_memory || graph_.loc(l).size != asked.size || graph_.loc(l).over)
        return false;
    const event* const made = next_made(t, i);
    if (!values_at(asked.address) || (made && made->location != l)) return false;
    const std::vector<known_values::value_number> values = readable(t, i, l, made);
    // Most that do not fail are told by this, without a trial.
    if (std::any_of(values.begin(), values.end(), [&](auto v) { return succeeds(t, i, asked, v); }))
        return false;
    // Case (2): up to A it reads what it read.
    const known_values::value_number seen = made ? number_of(*made) : known_values::value_number{};
    if (made && made->index <= i.knows && !fails_with(t, i, asked, {.what = seen, .made = true}))
        return false;
    return std::all_of(values.begin(), values.end(), [&](known_values::value_number v) {
        const bool is_made = made && !i.for_good && v.value == seen.value;
        return fails_with(t, i, asked, {.what = v, .made = is_made});
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
    for (unsigned k = i.first; k < i.end; ++k) {
        const event& e = event_of(t, k);
        if (!is_look(e)) continue;
        digest.add(graph_.loc(e.location).address);
        digest.add(number_of(e).value);
        if (k < i.from) continue;
        for (const known_values::value& v : values_.find(graph_.loc(e.location).address)->all)
            digest.add(is_there_for_good(v, e.location, event_of(t, i.from)));
    }
    if (!i.for_good) return true;
    digest.add(i.knows == 0 ? 0 : i.knows - i.first);
    digest.add(is_exchanged(t, i));
    if (i.knows == 0) return true;
    const event& seen = graph_.at(event_of(t, i.knows).rf);
    for (std::size_t n = 0; n < values_.size(); ++n)
        if (const location_id l = graph_.find(values_.at(n).address); l != none)
            digest.add(known_values::known_to(graph_, graph_.loc(l), seen));
    return true;
}

/// It begins with the memory that the iteration began with, but for what other threads have written since.
bool stale_iterations::fails_from_its_memory(thread_state& t, const iteration& i) {
    const event& first = event_of(t, i.first);
    if (!has_written(t, first)) return fails_whatever_it_reads(t, i);
    return execution_.speculate([&](const saved_state&) {
        return forget_plain_writes(t, first, i.end) && fails_whatever_it_reads(t, i);
    });
}

bool stale_iterations::fails_whatever_it_reads(thread_state& t, const iteration& i) {
    trials_ = 0;
    accessed_in_all_.clear();
    path_.clear();
    memory_digest digest;
    if (!facts_.limits.reduce.tried_look || !add_to(digest, t, i)) return fails_from_here(t, i);
    if (const auto known = tried_.find(digest.result()); known != tried_.end()) {
        accessed_in_all_ = known->second.accessed;
        return known->second.fails;
    }
    const bool fails = fails_from_here(t, i);
    if (tried_.size() < most_remembered) tried_.emplace(digest.result(), outcome{fails, accessed_in_all_});
    return fails;
}

} // namespace ringproof::verify
