// SPDX-License-Identifier: Apache-2.0
// Threads that add to a counter, and go on once all have: `ready.fetch_add(1); while (ready.load() < n);`, or
// `while (!go.load());` for a flag that is set by who has waited for the counter. They come in n! orders, and go on in one
// way, as from a barrier (barriers.cpp, whose argument this is). An arrival reads the latest one, and no other.
//
// Let two executions differ in the order of the arrivals alone. The values are the same: nobody uses what an arrival
// returns, and who reads the counter reads the last one, the sum. What a thread does next after its arrival is a read r
// that has all arrivals behind it, from another source than its own arrival, so in each order: it reads the last arrival; or
// a release by a thread to which all arrivals happened before. A plain access between the two is ordered behind what it
// might race with by what its thread knew before it arrived. Looks at a flag that only one thread writes may stand between
// as well: that they find it as it was at first is possible in each order. So an event behind an
// arrival has all arrivals in its porf prefix in each order. Where its own arrival acquires, r does as well, and then
// all that the arrival could have synchronised with, r synchronises with. Of the orders in rc11's psc: a path that
// enters the arrivals enters one by its own program order, and leaves one by its own program order; for each such pair
// there is one through r as well.
//
// Which locations are such counters is learnt: one that several threads have written, by read-modify-writes alone, and at
// which a thread looks that would look again, had it seen the value before. Where one of the following does not hold, the
// search begins anew without the reduction for that location.
// 1. Only additions and subtractions of one value write to it, whose results are not used (see dead_state.cpp).
// 2. What a thread does next after an arrival is such a read r.
// 3. Every other read of the counter that does not only repeat a wait reads the last arrival.
// 4. Who reads the counter would look again, had fewer come; so none goes on before all have.
// 5. No thread arrives after another has read the counter, or gone on from its arrival.
// Should an execution that is left out break one of them, take its first event that does: what comes before it is an
// execution that differs from one that is explored in the order of the arrivals alone, and that event can be added there.

#include "start_counters.hpp"

#include <algorithm>

namespace ringproof::verify {
namespace {

constexpr int most_looks = 4; // at one location, that are asked whether they wait

bool contains(const std::vector<std::uintptr_t>& all, std::uintptr_t address) {
    return std::find(all.begin(), all.end(), address) != all.end();
}

} // namespace

bool start_counters::is_counter(std::uintptr_t address) const { return contains(counters_, address); }

void start_counters::give_up(std::uintptr_t address) {
    counters_.erase(std::find(counters_.begin(), counters_.end(), address));
    ordered_.push_back(address);
    throw anew{};
}

void start_counters::note_look(const thread_state& t, const std::function<bool(value_t)>& comes_back) {
    const std::uintptr_t address = t.what.address;
    if (!facts_.limits.reduce.barrier || facts_.interrupts || facts_.tracing ||
        contains(counters_, address) || contains(ordered_, address))
        return;
    const location& at = graph_.loc(graph_.find(address));
    if (at.co.size() < 3 || !at.in_memory) return;
    for (std::size_t i = 1; i < at.co.size(); ++i)
        if (const event& w = graph_.at(at.co[i]); !w.rmw || w.thread == graph_.at(at.co[i - 1]).thread)
            return;
    if (std::count(looked_at_.begin(), looked_at_.end(), address) >= most_looks) return;
    looked_at_.push_back(address);
    if (!comes_back(graph_.at(at.co[at.co.size() - 2]).value)) return;
    counters_.push_back(address);
    throw anew{};
}

void start_counters::check_look(const thread_state& t, const std::function<bool(value_t)>& comes_back) {
    if (facts_.tracing || !is_counter(t.what.address)) return;
    const auto& co = graph_.loc(graph_.find(t.what.address)).co;
    // All arrivals add the same, so these are the sums of each number of them.
    for (std::size_t i = 0; i + 1 < co.size(); ++i)
        if (!comes_back(graph_.at(co[i]).value)) give_up(t.what.address);
}

/// Whether the pending arrival of `t` adds what the others have added.
bool start_counters::adds_the_same(const thread_state& t, const location& at) const {
    const auto value = [&](std::size_t i) { return graph_.at(at.co[i]).value; };
    const std::size_t last = at.co.size() - 1;
    return last == 0 ||
           truncated(value(1) - value(0), t.what.size) ==
               truncated(apply(t.what.op, value(last), t.what.operand, t.what.size) - value(last),
                         t.what.size);
}

/// Whether a thread has read the counter, or gone on from its arrival there.
bool start_counters::is_passed(const location& at) const {
    for (std::size_t i = 0; i < at.co.size(); ++i) {
        const event& w = graph_.at(at.co[i]);
        if (i > 0 && program_.thread(w.thread).next_index > w.index + 1u) return true;
        for (event_id r = w.first_reader; r != none; r = graph_.at(r).next_reader)
            if (!graph_.at(r).arrival) return true;
    }
    return false;
}

/// Whether what `read` saw, the next event of a thread after its `arrival`, tells that all have come.
bool start_counters::has_all_behind(const event& read, const event& arrival) const {
    if (!read.is_read() || read.rmw || read.blocked || read.arrival ||
        (is_acquire(arrival.mo) && !is_acquire(read.mo)))
        return false;
    const auto& co = graph_.loc(arrival.location).co;
    if (read.rf == co.back()) return true;
    const event& from = graph_.at(read.rf);
    return from.is_write() && from.thread != read.thread && from.thread != init_thread &&
           is_release(from.mo) && std::all_of(co.begin() + 1, co.end(), [&](event_id w) {
               return from.hb().includes(graph_.at(w).thread, graph_.at(w).index);
           });
}

/// Whether the event `i` of `t` is a look at a flag that nobody had set, and it looks there again.
bool start_counters::looked_too_early(const thread_state& t, unsigned i) const {
    const event& e = event_of(t, i);
    const location& flag = graph_.loc(e.location);
    if (!e.is_read() || e.rmw || e.blocked || e.rf != flag.init || flag.co.size() > 2 ||
        is_counter(flag.address))
        return false;
    if (i + 1 == t.next_index)
        return t.what.act == action::load && t.what.site == e.site && t.what.address == flag.address;
    const event& again = event_of(t, i + 1u);
    return again.is_read() && !again.rmw && again.site == e.site && again.location == e.location;
}

/// What `t` has read and done since its last request.
void start_counters::check(thread_state& t) {
    if (t.arrived_at != 0 && t.next_index > t.arrived_at) {
        const event& arrival = event_of(t, t.arrived_at);
        const std::uintptr_t counter = graph_.loc(arrival.location).address;
        unsigned next = t.arrived_at + 1u;
        while (next < t.next_index && looked_too_early(t, next)) ++next;
        const bool goes_on = next < t.next_index;
        if ((t.told_at != 0 && t.told_at <= next) ||
            (goes_on ? !has_all_behind(event_of(t, next), arrival) : t.what.act != action::load))
            give_up(counter);
        if (goes_on) t.arrived_at = 0;
    }
    if (t.next_index == 1) return;
    const event& last = event_of(t, t.next_index - 1u);
    if (!last.is_read() || last.arrival) return;
    const location& at = graph_.loc(last.location);
    if (is_counter(at.address) && last.rf != at.co.back()) give_up(at.address);
}

void start_counters::arrive(thread_state& t) {
    if (t.what.act != action::modify || t.what.rule ||
        (t.what.op != rmw_op::add && t.what.op != rmw_op::sub) || t.what.frame == 0 || facts_.interrupts ||
        !dead_.result_is_unused(t, t.what.frame))
        give_up(t.what.address);
    const location_id l = graph_.find(t.what.address);
    if (l != none && (is_passed(graph_.loc(l)) || !adds_the_same(t, graph_.loc(l)))) give_up(t.what.address);
    t.what.arrives_in = t.what.frame;
    t.arrived_at = t.next_index + 1u; // of its write
    t.told_at = 0;
    facts_.take_for_granted(assumption::arrival_order, t.what.site);
}

void start_counters::before(thread_state& t) {
    if (facts_.tracing) return;
    check(t);
    const bool changes = t.what.act == action::modify || t.what.act == action::compare;
    if (changes && t.what.arrives_in == 0 && is_counter(t.what.address)) arrive(t);
}

void start_counters::note_write(const thread_state& t) {
    if (!facts_.tracing && t.what.arrives_in == 0 && is_counter(t.what.address)) give_up(t.what.address);
}

} // namespace ringproof::verify
