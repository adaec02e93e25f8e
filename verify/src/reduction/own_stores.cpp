// SPDX-License-Identifier: Apache-2.0
// A loop that tries to take a lock writes its queue node in each attempt: `do node.next.store(nullptr); while (!tail
// .compare_exchange_strong(none, &node));`. An iteration that stores is none that idles, so such a loop would have no end.
// Here a store that writes what is there already counts as no effect, if the location is one that the thread has for itself.
//
// Let W' be such a store, and W the write before it in coherence order: both of thread t, with one value, from places in the
// program that are known to make them. Between them, t only reads, or makes stores from such places: nothing that tells
// others anything. Let each access of W's location that another thread makes when W is there be ordered (hb) behind
// something that t has told others since W, as the exchange that publishes the node: the rule. Then the execution without the
// iteration, in which W takes the place of W', is one too:
// - No write of another thread is between W and W' in coherence order: W' is added right behind W, and what comes later is
//   behind what t has told since W, so behind W', too.
// - Who reads from W' reads the same value from W, as nothing is between. W and W' have the same events of t before them
//   that others know of; fewer events order less. So what is consistent remains so, under each model, and an error remains one.
// - A plain access by another thread that races with W', races with W, too. Otherwise it would be behind W: by something
//   that t tells others between the two, or by an access of another thread that breaks the rule.
// And idle_iterations.cpp's argument holds as if W' were not there: when a write revisits the iteration's first read, W' is taken
// off the graph with what came behind that.
//
// The rule is looked at, not assumed: at each access, in each graph that is explored. When one breaks it, the place in the
// program is given up, and the search begins anew. That meets each: let E be an execution with a write w of another thread
// between W and W', and no smaller one; the graph before w has its twin without the iterations that are left out. There
// w breaks the rule: were it behind something that t has told since W, it would be behind W'. Only if it is older than W' in
// that graph, nothing is seen; but there W' is not right behind W, and is a store like others.
//
// The places are known from the beginning of the search, as it begins anew when it finds one. A place is one in the program
// and in the thread's own stack, not an address: alike threads have nodes of their own, and not each order of the
// threads is explored.

#include "own_stores.hpp"

#include "../program/rmw.hpp"

#include <algorithm>
#include <utility>

namespace ringproof::verify {

namespace {
constexpr unsigned most_begun = 32;  // searches
constexpr unsigned most_stores = 64; // in a row

bool is_store(const event& e) {
    return e.kind == event_kind::write && !e.rmw && !e.lock && e.mo != order::plain;
}
} // namespace

bool own_stores::begins_anew() { return std::exchange(begins_anew_, false); }

void own_stores::begin_anew() {
    ++begun_;
    begins_anew_ = true;
    throw anew{};
}

own_stores::store_place own_stores::place_of(thread_id by, std::uintptr_t site,
                                             std::uintptr_t address) const {
    const memory_range own = program_.memory().stack(by);
    return {site, own.contains(address) ? own.end - address : 0};
}

bool own_stores::is_known(const event& e) const {
    return is_store(e) && places_.count(place_of(e.thread, e.site, graph_.loc(e.location).address)) != 0;
}

/// Whether other threads may know of `e`, and of what its thread did before it, but for stores from known places. As
/// execution.cpp judges what has no effect.
bool own_stores::tells(const event& e) const {
    switch (e.kind) {
    case event_kind::read:
        return false;
    case event_kind::write: // a test-and-set that fails writes what it has read
        return e.rmw ? e.is_part() || graph_.at(graph_.read_of(e)).value != e.value : !is_known(e);
    case event_kind::fence:
        return is_release(e.mo);
    default:
        return !e.weak;
    }
}

/// Whether the thread of `write` has told others something behind it, of which the clock `by` knows.
bool own_stores::has_told_since(const event& write, thread_clock by) const {
    for (unsigned i = write.index + 1u; i <= graph_.thread_size(write.thread) && by.includes(write.thread, i);
         ++i)
        if (tells(graph_.at(graph_.in_thread(write.thread, i)))) return true;
    return false;
}

/// Whether `t`, since its store `before`, has read, and told others nothing. @param known otherwise any store may be one of
/// those that will be known
bool own_stores::repeats(const thread_state& t, const event& before, bool known) const {
    bool reads = false;
    for (unsigned i = before.index + 1u; i < t.next_index; ++i) {
        const event& e = event_of(t, i);
        if (tells(e) && (known || !is_store(e))) return false;
        reads = reads || e.is_read();
    }
    return reads;
}

/// Whether `t` has made many of these stores without an effect: then it waits for nothing, but counts, and each of its reads
/// would be compared with those before.
bool own_stores::goes_on_for_long(const thread_state& t) const {
    unsigned stores = 0;
    for (unsigned i = std::max(t.pure_since, 1u); i < t.next_index; ++i) stores += event_of(t, i).again;
    return stores > most_stores;
}

bool own_stores::may_be_used() const {
    const bool looks = uses_ && facts_.limits.reduce.own_store && !facts_.interrupts &&
                       !facts_.processes_may_die && !facts_.limits.unfair;
    return looks || facts_.tracing;
}

bool own_stores::writes_again(const thread_state& t) {
    if (!may_be_used() || t.what.act != action::store || t.what.parts > 1) return false;
    const location& of = graph_.loc(graph_.find(t.what.address));
    if (!of.in_memory || of.over) return false;
    const event& before = graph_.at(of.co.back());
    if (before.thread != t.id || !is_store(before) || before.size != t.what.size ||
        before.value != truncated(t.what.operand, t.what.size) || !repeats(t, before, false))
        return false;
    if (facts_.tracing) return true;
    const store_place here = place_of(t.id, t.what.site, t.what.address);
    if (places_.count(here) != 0 && is_known(before)) {
        if (!repeats(t, before, true)) return false;
        if (goes_on_for_long(t)) give_up(before);
        facts_.take_for_granted(assumption::own_store, t.what.site);
        return true;
    }
    // A loop's first attempt may stand before the loop.
    const store_place first = place_of(t.id, before.site, t.what.address);
    if (begun_ < most_begun && given_up_.count(here) == 0 && given_up_.count(first) == 0) {
        places_.insert({here, first});
        begin_anew();
    }
    return false;
}

void own_stores::give_up(const event& e) {
    const store_place of = place_of(e.thread, e.site, graph_.loc(e.location).address);
    places_.erase(of);
    given_up_.insert(of);
    begin_anew();
}

void own_stores::note_access(const thread_state& t) {
    const event& e = event_of(t, t.next_index - 1u);
    const location& at = graph_.loc(e.location);
    if (!at.in_memory) return;
    for (const event_id id : at.co) {
        const event& w = graph_.at(id);
        if (w.thread != t.id && is_known(w) && !has_told_since(w, t.clocks.hb())) give_up(w);
    }
}

} // namespace ringproof::verify
