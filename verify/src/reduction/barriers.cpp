// SPDX-License-Identifier: Apache-2.0
// N threads come to a barrier in N! orders, and go on from it in one way: each has seen all that the others did before.
// The order is explored in which the search adds the arrivals; each reads the latest one.
// (Kokologiannakis, Vafeiadis, "BAM: Efficient Model Checking for Barriers", NETYS 2021, do the same.)
//
// An arrival is a read-modify-write of a word that only arrivals access; the last one opens the barrier, which writes a
// second word, and all others read that before they go on. Let two executions differ in the order of arrivals of a round
// alone. No event stands between a thread's arrival and its opening the barrier or seeing it open. What comes before an
// arrival is ordered before all that comes behind the barrier by the second word, in either execution; what comes before
// another's arrival is ordered with neither. So the edges between arrivals add nothing to any model's relations but to
// the arrivals themselves: the same reads may see the same writes. And to the search an arrival is an event that reads
// nothing: all that a revisit asks, whether it stays (with each arrival before it, as their porf says) and whether it was
// added maximally (it always was), has the same answer in each order.
//
// This takes two things. Where one does not hold, the search begins anew without the reduction for that barrier.
// 1. No more threads use the barrier than it is for, so that each round has the same. Otherwise the order of
//    arrival decides which threads meet. The check: a thread that arrives in a later round has arrived in the round
//    before; then each round has the threads of the first. pthread_barrier_init() may change the size. Rounds are then
//    counted by the new size from the first arrival on, and the check still bounds the number of threads by that size:
//    the arrivals of the round that the change falls into are by threads of the round before, and all later arrivals are
//    by threads of that round.
//    std::barrier has further ways to arrive: for several at once, without waiting, and for the last time; and a function that
//    the last one calls. At a barrier where any thread does so, all orders are explored.
// 2. No thread uses what pthread_barrier_wait() returns, which tells one of them that it was the last. The machine code
//    says so: the register is overwritten before it is read on each way on, see dead_state.cpp.

#include "barriers.hpp"

#include <algorithm>

namespace ringproof::verify {

/// Whether `t`, which has come to a later round, was in the one before; or this is the first.
bool barriers::came_last_time(const thread_state& t, const location& at) const {
    const auto size = static_cast<std::size_t>(t.what.expected);
    const std::size_t before = at.co.size() - 1; // behind the initial value
    if (before < size) return true;
    const auto round = at.co.begin() + 1 + static_cast<std::ptrdiff_t>((before / size - 1) * size);
    return std::any_of(round, round + static_cast<std::ptrdiff_t>(size),
                       [&](event_id w) { return graph_.at(w).thread == t.id; });
}

bool barriers::arrives_in_any_order(const thread_state& t) {
    if (!facts_.limits.reduce.barrier || facts_.interrupts ||
        std::find(ordered_.begin(), ordered_.end(), t.what.address) != ordered_.end())
        return false;
    if (came_last_time(t, graph_.loc(graph_.find(t.what.address))) &&
        dead_.result_is_unused(t, t.what.arrives_in)) {
        facts_.take_for_granted(assumption::arrival_order, t.what.site);
        return true;
    }
    ordered_.push_back(t.what.address);
    throw anew{};
}

void barriers::note_ordered(const thread_state& t) {
    if (!facts_.limits.reduce.barrier || facts_.interrupts || facts_.tracing ||
        std::find(ordered_.begin(), ordered_.end(), t.what.address) != ordered_.end())
        return;
    ordered_.push_back(t.what.address);
    throw anew{};
}

} // namespace ringproof::verify
