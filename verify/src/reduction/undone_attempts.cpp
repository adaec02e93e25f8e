// SPDX-License-Identifier: Apache-2.0
// Attempts that add to a location and, having failed, take back what they added and try again, like those
// of Linux's reader-writer lock. With one that fails, an execution is the one without it, as long as nobody
// can tell the values in between. So the attempt is taken for one that waits, like that of a mutex: it
// reads, writes nothing, and goes on when a later write revisits the read.
//
// What "nobody can tell" takes is looked at, not assumed. Once a place in the program is known to make such
// attempts (learnt from the first that took back, whereupon the search begins anew), every read of the
// location is tried out, from the state in which it is made, with each value that it would see were attempts
// of other threads under way:
// - an attempt that fails has to fail all the same;
// - one that succeeds has to leave its thread in the same state, or fail;
// - any other read has to leave its thread in the same state.
// And every write of it has to be an addition, whose effect does not depend on their order, or to come
// before there is a second thread. Where that does not hold, the location is given up: the search begins
// anew, and what is added and taken back is explored like any other write.
//
// Then every execution has a twin that is explored: without its failed attempts, each thread passes through
// the same states, by induction along po and rf. Fewer events order less, so what is an error remains one.

#include "undone_attempts.hpp"

#include <algorithm>
#include <cstring>

namespace ringproof::verify {

namespace {

template <class T>
bool holds(const std::vector<T>& all, const T& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
}

bool adds(const request& what) { return !what.rule && (what.op == rmw_op::add || what.op == rmw_op::sub); }

value_t change_by(const request& what) {
    const value_t change = what.op == rmw_op::sub ? value_t{0} - what.operand : what.operand;
    return truncated(change, what.size);
}

constexpr std::size_t most_values = 64, most_states = 6, most_looked_at = 256;
constexpr unsigned look_far = 3; // requests

} // namespace

attempts_on* undone_attempts::known_attempts(std::uintptr_t address) {
    for (attempts_on& a : attempts_)
        if (a.address == address) return a.given_up ? nullptr : &a;
    return nullptr;
}

bool undone_attempts::is_known_attempt(const request& what) {
    if (what.act != action::modify || !adds(what)) return false;
    const attempts_on* const on = attempts(what.address);
    return on && holds(on->sites, what.site);
}

void undone_attempts::give_up(attempts_on& on) {
    on.given_up = true;
    throw anew{};
}

/// Lets `t` see `seen`, and run to its next request. @return whether that had no effect on memory
bool undone_attempts::try_on(thread_state& t, value_t seen) {
    t.pure_since = 0;
    execution_.go_on_with(t, seen);
    raced_ = raced_ || t.what.act == action::fail;
    return t.pure_since == 0;
}

/// The program's part of the state of `t`, which stands before `what`.
std::string undone_attempts::own_state(const thread_state& t) const {
    const memory_range own = program_.own_stack(t);
    std::string state(reinterpret_cast<const char*>(own.begin), own.size());
    state.append(reinterpret_cast<const char*>(&t.random), sizeof t.random);
    return state.append(reinterpret_cast<const char*>(&t.floats), sizeof t.floats);
}

/// Whether `t` is in the state `then`, of own_state(), but for what it will not read again.
bool undone_attempts::is_in(const thread_state& t, const std::string& then) {
    const std::string now = own_state(t);
    if (now == then) return true;
    const memory_range own = program_.own_stack(t);
    if (now.size() != then.size() || now.compare(own.size(), std::string::npos, then, own.size()) != 0)
        return false;
    return has_stack(t, own, then.data());
}

/// Whether the registers and stack words of `t` at `own` are `then`, but for what it will not read again.
bool undone_attempts::has_stack(const thread_state& t, const memory_range& own, const char* then) {
    if (std::memcmp(then, reinterpret_cast<const void*>(own.begin), own.size()) == 0) return true;
    asked_of_races_ = true; // what is dead depends on what was written, and on the values of atomics
    return dead_.same_but_dead(t, own, then);
}

/// Whether `t`, which has taken back and stands before some request, comes to `head` again, or to an attempt like
/// it, whatever it waits for of the same location: its values.
bool undone_attempts::comes_to(thread_state& t, const attempt_made& made, std::vector<std::string>& waits) {
    if (t.what.frame == 0 || t.what.address != made.head.address || t.what.size != made.head.size)
        return false;
    if (same_request(t.what, made.head) && is_in(t, made.state)) return true;
    if (t.what.act == action::modify)
        // Another place in the source, as where a loop's first attempt stands before the loop.
        return adds(t.what) && change_by(t.what) == change_by(made.head) && t.what.mo == made.head.mo &&
               goes_on_like(t, made);
    if (t.what.act != action::load) return false;
    if (std::any_of(waits.begin(), waits.end(), [&](const std::string& then) { return is_in(t, then); }))
        return true;
    if (waits.size() == most_states) return false;
    waits.push_back(own_state(t));
    return std::all_of(made.values.begin(), made.values.end(), [&](value_t v) {
        return execution_.speculate([&](const saved_state& now) {
            const bool pure = try_on(t, v);
            accesses_ = accesses_ || t.known_accesses != 0;
            return pure && program_.same_memory(now, t) && comes_to(t, made, waits);
        });
    });
}

/// Whether the pending addition of `t`, when it sees `seen`, is taken back, and `t` stands before it again.
bool undone_attempts::is_undone(thread_state& t, value_t seen, const std::vector<value_t>& values) {
    const request head = t.what;
    if (head.frame == 0 || facts_.interrupts) return false;
    const unsigned released = t.pure_since;
    const std::string state = own_state(t);
    std::optional<memory_digest> look = look_of(t, values);
    return execution_.speculate([&](const saved_state& before) {
        const std::size_t log = races_.shadow().log_size();
        value_t now = truncated(seen + change_by(head), head.size);
        bool pure = try_on(t, seen);
        accesses_ = t.known_accesses != 0;
        for (unsigned i = 0; pure && now != seen && i < 4; ++i) {
            if (t.what.act != action::modify || !adds(t.what) || t.what.address != head.address ||
                t.what.size != head.size)
                return false;
            const value_t found = now;
            now = truncated(now + change_by(t.what), head.size);
            pure = try_on(t, found);
            accesses_ = accesses_ || t.known_accesses != 0;
        }
        std::vector<std::string> waits;
        if (!pure || now != seen || !comes_to(t, {head, state, values, before, look}, waits) ||
            !program_.same_memory(before, t))
            return false;
        if (!accesses_) return true; // but of locals that no other thread knows
        asked_of_races_ = true;
        return races_.shadow().repeats_since(log, t.id, t.next_index - 1u, released,
                                             program_.images().heap_end(before, t.id));
    });
}

/// The values that a location may have, with any attempts under way.
std::vector<value_t> undone_attempts::values_with(const attempts_on& on, std::size_t size, value_t seen) {
    std::vector<value_t> values = on.values;
    if (!holds(values, seen)) values.push_back(seen);
    for (thread_id by = 0; by < max_threads; ++by) {
        const std::size_t so_far = values.size();
        for (const auto& [thread, change] : on.changes)
            for (std::size_t i = 0; thread == by && i < so_far && values.size() <= most_values; ++i) {
                const value_t v = truncated(values[i] + change, size);
                if (!holds(values, v)) values.push_back(v);
            }
    }
    return values;
}

/// Whether the pending attempt of `t` fails when it sees `seen`.
bool undone_attempts::attempt_fails(thread_state& t, value_t seen) {
    attempts_on& on = *attempts(t.what.address);
    const std::vector<value_t> values = values_with(on, t.what.size, seen);
    if (values.size() > most_values) give_up(on);
    if (!is_undone(t, seen, values)) return false;
    const std::pair<thread_id, value_t> change{t.id, change_by(t.what)};
    if (holds(on.changes, change)) return true;
    on.changes.push_back(change);
    throw anew{};
}

/// Before an addition of `t`: does it take back what the one just before added, in a loop that tries again?
void undone_attempts::learn_attempt(thread_state& t) {
    if (t.next_index < 3 || !adds(t.what) || t.what.frame == 0 || facts_.interrupts ||
        !facts_.limits.reduce.undone_attempt)
        return;
    const event& written = graph_.at(graph_.in_thread(t.id, t.next_index - 1u));
    const event& read = graph_.at(graph_.in_thread(t.id, t.next_index - 2u));
    if (written.kind != event_kind::write || !written.rmw || !read.is_read() || read.node == none ||
        read.frame == 0 || graph_.loc(written.location).address != t.what.address ||
        written.size != t.what.size ||
        truncated(written.value + change_by(t.what), t.what.size) != read.value)
        return;
    attempts_on* on = nullptr;
    for (attempts_on& a : attempts_)
        if (a.address == t.what.address) on = &a;
    if (on && (on->given_up || holds(on->sites, read.site))) return;
    const no_attempt looked_at{read.site, read.value, written.value};
    if (no_attempts_.size() == most_looked_at || holds(no_attempts_, looked_at)) return;
    std::vector<value_t> values;
    for (const event_id w : graph_.loc(written.location).co)
        if (!holds(values, graph_.at(w).value)) values.push_back(graph_.at(w).value);
    const value_t seen = read.value;
    const saved_state from = state_before(read);
    // What it accessed since is known already, and would be out of order.
    const bool found = execution_.try_out([&](const saved_state&) {
        program_.restore_one(from, t.id);
        return t.what.act == action::modify && adds(t.what) && is_undone(t, seen, values);
    });
    if (!found) {
        no_attempts_.push_back(looked_at);
        facts_.knows_more = true;
        return;
    }
    if (!on) {
        attempts_.push_back({});
        on = &attempts_.back();
        on->address = t.what.address;
    }
    for (const value_t v : values)
        if (!holds(on->values, v)) on->values.push_back(v);
    on->sites.push_back(read.site);
    throw anew{};
}

/// For a replay, which has learnt nothing: is the pending addition of `t` such an attempt, and fails?
bool undone_attempts::would_be_undone(thread_state& t) {
    if (t.what.act != action::modify || !adds(t.what)) return false;
    const location& l = graph_.loc(graph_.find(t.what.address));
    std::vector<value_t> values;
    for (const event_id w : l.co) values.push_back(graph_.at(w).value);
    return is_undone(t, values.back(), values);
}

/// The values that `t` would see instead of `seen` with attempts of others under way, `seen` first.
std::vector<value_t> undone_attempts::values_amid(const thread_state& t, value_t seen,
                                                  const attempts_on& on) const {
    std::vector<value_t> values{seen};
    for (thread_id other = 0; other < max_threads; ++other) {
        const thread_state& o = program_.thread(other);
        if (other == t.id) continue;
        if (other < program_.thread_count() && o.status == thread_status::finished &&
            t.clocks.hb().includes(other, graph_.at(o.ended).index))
            continue;
        const std::size_t so_far = values.size();
        for (const auto& [thread, change] : on.changes)
            for (std::size_t i = 0; thread == other && i < so_far; ++i) {
                const value_t v = truncated(values[i] + change, t.what.size);
                if (!holds(values, v)) values.push_back(v);
            }
    }
    return values;
}

/// Whether `t` goes the same way from the states `a` and `b`, where it sees what is given: it makes the same requests
/// and does the same to memory until its states are the same. Dead values that a compiler leaves may differ for a
/// while. Only what the location with attempts may hold can be read meanwhile: its values, each of which is tried.
bool undone_attempts::same_way(thread_state& t, const meeting& a, const meeting& b, const attempt_values& of,
                               unsigned far) {
    return execution_.speculate([&](const saved_state&) {
        program_.restore(*a.state);
        try_on(t, a.seen);
        const request what = t.what;
        return execution_.speculate([&](const saved_state& after_a) {
            program_.restore(*b.state);
            try_on(t, b.seen);
            if (t.what.act != what.act || !program_.same_memory(after_a, t) ||
                !program_.same_stacks(after_a, t))
                return false;
            if (what.act == action::end) return true;
            if (!same_request(t.what, what) || t.what.mo != what.mo || t.what.size != what.size ||
                what.frame == 0)
                return false;
            const auto then = program_.images().stack_of(after_a, t.id);
            if (then.random != t.random || then.floats != t.floats) return false;
            const std::uintptr_t from = what.frame - saved_registers;
            const std::size_t below = from - then.sp;
            if (has_stack(t, {from, from + then.size - below}, then.bytes + below)) return true;
            const bool of_attempts = what.address == of.address &&
                                     (what.act == action::load || (what.act == action::modify && adds(what)));
            if (far == 0 || (!of_attempts && what.act != action::store && what.act != action::fence))
                return false;
            return execution_.speculate([&](const saved_state& after_b) {
                const auto from_value = [&](value_t v) {
                    return same_way(t, {&after_a, v}, {&after_b, v}, of, far - 1);
                };
                return of_attempts ? std::all_of(of.values.begin(), of.values.end(), from_value)
                                   : from_value(0);
            });
        });
    });
}

/// The same, of the pending read of `t` itself, here and elsewhere, whatever may race on the way.
bool undone_attempts::same_way_from_here(thread_state& t, value_t a, const saved_state* elsewhere, value_t b,
                                         const std::vector<value_t>& values) {
    return execution_.try_out([&](const saved_state& now) {
        return same_way(t, {&now, a}, {elsewhere ? elsewhere : &now, b}, {t.what.address, values}, look_far);
    });
}

/// The pending read of `t` of a location with attempts, which is about to see `seen`: could its thread tell
/// attempts of others under way? @return whether it is an attempt that fails
bool undone_attempts::amid_attempts(thread_state& t, value_t seen) {
    attempts_on& on = *attempts(t.what.address);
    const bool attempt = is_attempt(t.what);
    const std::vector<value_t> values = values_amid(t, seen, on);
    if (values.size() > most_values || t.what.act == action::compare || t.what.frame == 0 ||
        (t.what.act == action::modify && !adds(t.what)))
        give_up(on);
    return fails_as_before(t, on, values, attempt);
}

/// The pending read of `t`, with each of the values that attempts of others under way would have it see.
/// @return whether it is an attempt that fails @throws anew where its thread can tell
bool undone_attempts::fails_untold(thread_state& t, attempts_on& on, const std::vector<value_t>& values,
                                   bool attempt) {
    const value_t seen = values[0];
    const bool fails = attempt && attempt_fails(t, seen);
    // With another value a race only means that the thread has to go the same way, which is asked then.
    asked_of_races_ = asked_of_races_ || raced_;
    const std::vector<value_t> all = values_with(on, t.what.size, seen);
    for (std::size_t i = 1; i < values.size(); ++i) {
        const value_t other = values[i];
        if (attempt && attempt_fails(t, other)) continue;
        // Another kind of attempt, which fails on what the known ones do: a writer's amid readers'.
        if (!attempt && t.what.act == action::modify && is_undone(t, other, all)) {
            on.sites.push_back(t.what.site);
            throw anew{};
        }
        if (fails || !same_way_from_here(t, seen, nullptr, other, all)) give_up(on);
    }
    return fails;
}

/// Before `t` writes `value` to a location with attempts.
void undone_attempts::write_amid_attempts(const thread_state& t, value_t value) {
    attempts_on& on = *attempts(t.what.address);
    if (program_.thread_count() > 1 && (t.what.act != action::write_part || !adds(t.what))) give_up(on);
    if (holds(on.values, value)) return;
    if (on.values.size() == most_values) give_up(on);
    on.values.push_back(value);
    throw anew{};
}

} // namespace ringproof::verify
