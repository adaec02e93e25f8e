// SPDX-License-Identifier: Apache-2.0
// Counters that threads add to and that no thread looks at meanwhile: statistics, for example. Let an update be a
// read-modify-write whose result is not used, and let all updates of a word be of one kind (additions and subtractions; or,
// and, exclusive or), so that each order of them leaves the same value. n updates have n! orders. One is explored.
//
// In the search an update is an event that reads nothing: it has the last place in coherence order when it is added, and
// neither porf, hb nor any edge of the model leads from one update to another. So the search finds graphs up to the order
// of updates, each once: an update is always added maximally, and is never revisited nor revisits.
//
// What this takes. Where one does not hold, the search begins anew without the reduction for that word.
// 1. Each access of the word that is no update is ordered by hb before or behind each update. So a read sees the sum of the
//    updates before it, in each order of them, and a write lies behind all of them.
// 2. An update orders nothing by what it reads. Under rc11: it does not acquire, and no later fence of its thread does; and
//    there is no seq_cst fence at all, as psc orders those by eco between updates.
//
// Each graph G of the program is found. Without the edges between updates it is consistent, for the models' conditions
// forbid cycles, and fewer edges have no more of them.
//
// Each graph G' that is found stands for one of the program, by some order of the updates.
// - sc and tso: G' has a linear order that extends its edges; the updates go as there. (A locked instruction drains the
//   store buffer, whatever it accesses: under tso an update does so.)
// - rc11: the updates of all words go as in a linear order that extends porf, so that porf of G has no cycle. hb is the same
//   in G and G', by 2 and since what reads a word has the updates before it in hb, by 1. So is psc, by 2.
// - ra: synchronisation by the updates' own order can leave no order at all (two threads that store, update, and read what
//   the other has stored). The reduction is not used.
//
// Races. hb of G' is part of that of G, so no race is missed. Under sc and tso reading from each other synchronises, so
// G may order what G' does not. Still a race of two accesses a and b in G' is one of the program: take what is
// before a or b in hb of G' alone. It is an execution as far as it goes, and has no update behind a or b, as that would be
// before the other one. So a and b are not ordered by updates there.
//
// A std::latch is such a word without more ado (hooks/barriers.cpp): what a count returns is not used. Who waits for it is
// not ordered, but waits for the value that the last count leaves, reads from that, and has all of them in porf.
//
// Which other words these are is learnt from the first complete execution: at least two threads update the word, and 1 holds. An
// execution that is left out and breaks 1 has a first event that does; what is before it is explored, up to the
// order of updates, and the event can be added there.

#include "commuting_updates.hpp"

#include <algorithm>
#include <map>

namespace ringproof::verify {
namespace {

constexpr std::size_t most_states = 1'000'000; // in counting orders

bool is_before(const thread_clock& hb, const event& e) {
    return e.thread == init_thread || hb.includes(e.thread, e.index);
}

} // namespace

commuting_updates::kind commuting_updates::kind_of_update(rmw_op op) {
    switch (op) {
    case rmw_op::add:
    case rmw_op::sub:
        return kind::sum;
    case rmw_op::bit_and:
        return kind::both;
    case rmw_op::bit_or:
        return kind::either;
    case rmw_op::bit_xor:
        return kind::parity;
    default:
        return kind::other;
    }
}

const commuting_updates::word* commuting_updates::find(std::uintptr_t address) const {
    const auto at =
        std::find_if(words_.begin(), words_.end(), [&](const word& w) { return w.address == address; });
    return at == words_.end() ? nullptr : &*at;
}

void commuting_updates::give_up(std::uintptr_t address) {
    std::erase_if(words_, [&](const word& w) { return w.address == address; });
    ordered_.push_back(address);
    throw anew{};
}

/// Whether the pending read-modify-write of `t` could be an update, as far as it goes.
bool commuting_updates::is_update(const thread_state& t) const {
    return t.what.act == action::modify && !t.what.rule && kind_of_update(t.what.op) != kind::other &&
           t.what.frame != 0 && t.what.arrives_in == 0 && execution_.memory().may_commute(t.what.mo) &&
           dead_.result_is_unused(t, t.what.frame);
}

/// Whether each access of the word, or each update, happens before what `t` does next.
bool commuting_updates::is_ordered_behind(const thread_state& t, const location& at, bool updates) const {
    const thread_clock hb = t.clocks.hb();
    for (const event_id w : at.co) {
        if (graph_.at(w).update == updates && !is_before(hb, graph_.at(w))) return false;
        for (event_id r = graph_.at(w).first_reader; r != none && !updates; r = graph_.at(r).next_reader)
            // Who waits for a latch may have looked already.
            if (!is_before(hb, graph_.at(r)) && !(graph_.at(r).blocked && t.what.commutes)) return false;
    }
    return true;
}

/// Before the pending fence of `t`, which acquires.
void commuting_updates::before_fence(const thread_state& t) {
    for (const word& w : words_) {
        const location_id l = graph_.find(w.address);
        if (l == none) continue;
        for (const event_id id : graph_.loc(l).co)
            if (const event& e = graph_.at(id); e.update && (e.thread == t.id || t.what.mo == order::seq_cst))
                give_up(w.address);
    }
}

/// Makes an update of the pending count of `t` at a latch.
void commuting_updates::become_count(thread_state& t) {
    if (!facts_.limits.reduce.blocked_lock || !execution_.memory().may_commute(t.what.mo) ||
        std::find(ordered_.begin(), ordered_.end(), t.what.address) != ordered_.end())
        return;
    if (!find(t.what.address)) words_.push_back({t.what.address, kind::other});
    become_update(t);
}

/// Makes an update of the pending request of `t`, of one of the words.
void commuting_updates::become_update(thread_state& t) {
    const location_id l = graph_.find(t.what.address);
    if (l != none) {
        const location& at = graph_.loc(l);
        if (at.size != t.what.size || !graph_.current(l) || !is_ordered_behind(t, at, false))
            give_up(t.what.address);
    }
    facts_.take_for_granted(assumption::update_order, t.what.site);
    t.what.act = action::update;
}

void commuting_updates::before_update(thread_state& t) {
    if (!facts_.limits.reduce.commuting_update || facts_.tracing || facts_.interrupts) return;
    if (t.what.act == action::fence && is_acquire(t.what.mo) && execution_.memory().fences_acquire())
        before_fence(t);
    if (t.what.act != action::modify) return;
    if (t.what.commutes) return become_count(t);
    if (!learnt_) return note_candidate(t);
    const word* const known = find(t.what.address);
    if (!known || kind_of_update(t.what.op) != known->is || !is_update(t)) return; // note_read() looks at it
    if (graph_.seq_cst_fences() != 0 && execution_.memory().fences_acquire()) give_up(t.what.address);
    become_update(t);
}

void commuting_updates::note_read(const thread_state& t, location_id l) {
    const location& at = graph_.loc(l);
    const word* const known = find(at.address);
    // A thread that waits for a latch waits for the last count, and reads from that.
    const bool waits = known && known->is == kind::other && t.what.act == action::lock;
    if (known && !waits && !is_ordered_behind(t, at, true)) give_up(at.address);
}

void commuting_updates::note_write(const thread_state& t) {
    if (t.what.act == action::update || t.what.act == action::write_part || !find(t.what.address)) return;
    if (const location_id l = graph_.find(t.what.address); l != none) note_read(t, l);
}

// ---- learning

bool commuting_updates::any_but_latches() const {
    return std::any_of(words_.begin(), words_.end(), [](const word& w) { return w.is != kind::other; });
}

bool commuting_updates::candidate::has(const event& e) const {
    return std::find(updates.begin(), updates.end(),
                     std::pair<thread_id, unsigned>(e.thread, e.index - (e.is_write() ? 1u : 0u))) !=
           updates.end();
}

void commuting_updates::note_candidate(const thread_state& t) {
    auto at = std::find_if(candidates_.begin(), candidates_.end(),
                           [&](const candidate& c) { return c.what.address == t.what.address; });
    if (at == candidates_.end()) {
        candidates_.push_back({{t.what.address, kind_of_update(t.what.op)}, true, {}});
        at = candidates_.end() - 1;
    }
    if (at->may_be && is_update(t)) {
        at->may_be = kind_of_update(t.what.op) == at->what.is;
        at->updates.emplace_back(t.id, t.next_index);
    }
}

/// Whether the updates of this execution commute, and are of several threads.
bool commuting_updates::commute_in(const candidate& c) const {
    const location_id l = graph_.find(c.what.address);
    if (l == none || !c.may_be || c.updates.empty() || graph_.overlaps()) return false;
    std::vector<const event*> updates, others;
    const auto note = [&](event_id id) {
        const event& e = graph_.at(id);
        if (e.kind != event_kind::init) (e.rmw && c.has(e) ? updates : others).push_back(&e);
    };
    for (const event_id w : graph_.loc(l).co) {
        note(w);
        for (event_id r = graph_.at(w).first_reader; r != none; r = graph_.at(r).next_reader) note(r);
    }
    const bool several = std::any_of(updates.begin(), updates.end(),
                                     [&](const event* u) { return u->thread != updates.front()->thread; });
    return several && std::all_of(others.begin(), others.end(), [&](const event* o) {
               return std::all_of(updates.begin(), updates.end(), [&](const event* u) {
                   return graph::happens_before(*o, *u) || graph::happens_before(*u, *o);
               });
           });
}

bool commuting_updates::learn() {
    if (learnt_ || !facts_.limits.reduce.commuting_update || facts_.interrupts) return false;
    learnt_ = true;
    const bool fenced = graph_.seq_cst_fences() != 0 && execution_.memory().fences_acquire();
    for (const candidate& c : candidates_)
        if (!fenced && commute_in(c)) words_.push_back(c.what);
    candidates_.clear();
    return any_but_latches();
}

// ---- counting

bool commuting_updates::is_updated_by_several(const location& at) const {
    thread_id first = init_thread;
    return std::any_of(at.co.begin(), at.co.end(), [&](event_id id) {
        const event& w = graph_.at(id);
        if (!w.update) return false;
        if (first == init_thread) first = w.thread;
        return w.thread != first;
    });
}

/// How many orders of the updates of a word extend porf: from each set of updates that are first, by how many are of each
/// thread, there is one way on for each thread whose next update has all that are before it in the set.
double commuting_updates::orders_of(const location& at) const {
    std::vector<std::vector<const event*>> of_thread(program_.thread_count());
    for (const event_id w : at.co)
        if (graph_.at(w).update) of_thread[graph_.at(w).thread].push_back(&graph_.at(w));
    std::erase_if(of_thread, [](const auto& all) { return all.empty(); });
    for (auto& all : of_thread)
        std::sort(all.begin(), all.end(), [](const event* a, const event* b) { return a->index < b->index; });
    std::size_t states = 1;
    for (const auto& all : of_thread)
        if ((states *= all.size() + 1) > most_states) return 1; // not counted
    std::map<std::vector<std::uint32_t>, double> ways{{std::vector<std::uint32_t>(of_thread.size()), 1}};
    const auto comes_next = [&](const std::vector<std::uint32_t>& done, std::size_t t) {
        if (done[t] == of_thread[t].size()) return false;
        const event& next = *of_thread[t][done[t]];
        for (std::size_t u = 0; u < of_thread.size(); ++u)
            if (u != t && done[u] < of_thread[u].size()) {
                const event& other = *of_thread[u][done[u]];
                if (next.porf().includes(other.thread, other.index)) return false;
            }
        return true;
    };
    for (;;) {
        const auto [done, count] = *ways.begin(); // the least: what leads to it came before
        ways.erase(ways.begin());
        bool last = true;
        for (std::size_t t = 0; t < of_thread.size(); ++t) {
            if (!comes_next(done, t)) continue;
            auto then = done;
            ++then[t];
            ways[then] += count;
            last = false;
        }
        if (last) return count;
    }
}

/// Orders of several words depend on each other, and under sc and tso on all edges: then they are not counted.
double commuting_updates::orders() const {
    if (!execution_.memory().fences_acquire()) return 1;
    const location* only = nullptr;
    for (const word& w : words_) {
        const location_id l = graph_.find(w.address);
        if (l == none || !is_updated_by_several(graph_.loc(l))) continue;
        if (only) return 1;
        only = &graph_.loc(l);
    }
    return only ? orders_of(*only) : 1;
}

} // namespace ringproof::verify
