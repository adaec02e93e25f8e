// SPDX-License-Identifier: Apache-2.0
// Which thread goes on next.
//
// The search as published may choose any, as long as the choice depends on the graph alone. A reduction may still rely on
// the order that is usual here, without its argument saying so. So the judges search with other orders as well
// (exploration_limits::order_seed): each has to find the same executions.

#include "explorer.hpp"

namespace ringproof::verify {

namespace {

/// SplitMix64's (Steele, Lea, Flood, OOPSLA 2014): each bit of `x` changes about half of the bits.
std::uint64_t scattered(std::uint64_t x) {
    x += 0x9e37'79b9'7f4a'7c15u;
    x = (x ^ (x >> 30)) * 0xbf58'476d'1ce4'e5b9u;
    x = (x ^ (x >> 27)) * 0x94d0'49bb'1331'11ebu;
    return x ^ (x >> 31);
}

} // namespace

/// Whether `t` has stopped behind an iteration that left nothing. It goes on last, so that who has noticed it may come back from
/// an iteration of his own: then both are left out.
static bool goes_on_if_noticed(const thread_state& t) {
    return t.status == thread_status::waiting || t.status == thread_status::retrying;
}

bool explorer::enabled(const thread_state& t) const {
    // What it does up to its next request is no event, and neither is an error there: it may race with its elder, which
    // may have stopped.
    if (t.alike && t.pending && t.what.act != action::fail && execution_.alike().is_held_back(t))
        return false;
    if (looks_again(t.status)) return graph_.loc(graph_.find(t.what.address)).co.size() > t.offered_places;
    if (t.status == thread_status::locking) return reads_again(t, graph_);
    if (t.status == thread_status::waiting) return reductions_.restored.was_noticed(t);
    if (t.status == thread_status::retrying) return t.woke_in_vain && reductions_.vain.was_noticed(t);
    if (t.status != thread_status::ready) return false;
    return !t.pending || t.what.act != action::join ||
           program_.thread(t.what.other).status == thread_status::finished || handlers_due(t) > 0;
}

/// The next thread is a function of the graph alone, as optimality requires: the first that can go on, and of those
/// one that doesn't read. A read that finds the writes there chooses among them; one that comes first has to be revisited
/// by each. Last are those that ask for a lock which is taken.
thread_id explorer::next_thread() {
    if (races_.mixed().any())
        if (const thread_id t = midway(); t != no_thread) return t;
    if (execution_.writing() != no_thread) return execution_.writing();
    if (facts_.limits.order_seed != 0) return next_by_seed();
    return writers_first();
}

thread_id explorer::writers_first() {
    enum class turn : std::uint8_t { at_once, reads, asks_for_taken_lock, goes_on_if_noticed };
    const auto turn_of = [&](const thread_state& t) {
        if (goes_on_if_noticed(t)) return turn::goes_on_if_noticed;
        if (reductions_.blocked.is_taken(t)) return turn::asks_for_taken_lock;
        return t.pending && t.what.act == action::load ? turn::reads : turn::at_once;
    };
    thread_id first = no_thread;
    turn of_first = turn::goes_on_if_noticed;
    for (std::uint32_t left = program_.live(); left != 0; left &= left - 1) {
        const auto t = static_cast<thread_id>(__builtin_ctz(left));
        if (t >= program_.thread_count()) break;
        const thread_state& th = program_.thread(t);
        if (enabled(th)) {
            const turn its = turn_of(th);
            if (its == turn::at_once) return t;
            if (first == no_thread || its < of_first) first = t, of_first = its;
        }
        if (th.status == thread_status::finished || th.status == thread_status::unborn) program_.note_gone(t);
    }
    return first;
}

/// Whether `t` has just created a thread, and may be about to create another.
bool explorer::may_create_alike(thread_id t) const {
    const thread_state& th = program_.thread(t);
    if (th.pending && th.what.act != action::create && th.what.act != action::choose) return false;
    std::uint32_t last = th.next_index - 1u;
    while (last > 0 && graph_.at(graph_.in_thread(t, last)).kind == event_kind::choice) --last;
    return last > 0 && graph_.at(graph_.in_thread(t, last)).kind == event_kind::create;
}

/// For tests: of those that can go on, any. Which one it is depends on the seed and on how many events each thread has,
/// so on the graph alone; not on threads that are known from other executions. With a third of the seeds it depends on a
/// thread's own events only: then one that is put off stays so until the others can't go on. A thread that has just created
/// one goes first: it may be about to create another that is like it.
thread_id explorer::next_by_seed() {
    const std::uint64_t seed = facts_.limits.order_seed;
    const auto events_of = [&](thread_id t) -> std::uint64_t {
        return scattered(seed ^ (graph_.thread_size(t) * std::uint64_t{max_threads} + t));
    };
    std::uint64_t graph = 0;
    if (seed % 3 != 0)
        for (thread_id t = 0; t < program_.thread_count(); ++t)
            if (graph_.thread_size(t) != 0) graph ^= events_of(t);
    thread_id first = no_thread, stopped = no_thread;
    std::uint64_t least = 0;
    for (thread_id t = 0; t < program_.thread_count(); ++t) {
        if (!enabled(program_.thread(t))) continue;
        if (goes_on_if_noticed(program_.thread(t))) {
            stopped = t;
            continue;
        }
        if (facts_.limits.reduce.symmetry && may_create_alike(t)) return t;
        const std::uint64_t turn = scattered(graph + events_of(t));
        if (first == no_thread || turn < least) first = t, least = turn;
    }
    return first != no_thread ? first : stopped;
}

/// The thread that is in the midst of an access in pieces: a write first, which the reader of another's piece waits for.
thread_id explorer::midway() const {
    thread_id rmw = no_thread, reads = no_thread;
    for (const thread_state& t : program_) {
        if (t.status != thread_status::ready) continue;
        if (t.mid == thread_state::midway::writing) return t.id;
        if (t.pending && t.what.act == action::write_part) rmw = t.id;
        if (t.mid == thread_state::midway::reading && (!t.pending || t.what.part > 0)) reads = t.id;
    }
    return rmw != no_thread ? rmw : reads;
}

} // namespace ringproof::verify
