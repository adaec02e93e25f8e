// SPDX-License-Identifier: Apache-2.0
// Unfair scheduling: a thread that waits without yielding may be the only one that runs. Then a loop is a livelock if it
// comes back to where it was although it has read the newest values that there are: alone, the thread goes round for ever.
//
// The newest values are those of the execution's part that is porf-before the thread. That part is an execution of its own,
// in which the others have not come further yet. A newer write that is not porf-before the thread is one that a scheduler may
// hold back. A newer write that is porf-before it has been made, and becomes visible in time: the round only read an old
// value, and is no livelock.
//
// Every such round is met. It reads what it reads in some consistent graph, and the search adds each read with each of its
// writes; so a round is judged where the thread stands before its first read again. For that the last read of a round stays
// in the graph, where the search would otherwise take it off again (step_aside()). A round of one read is judged before that
// read is added, as a test-and-set that fails is not read again. Reductions that leave out executions by which thread came
// first are switched off. Not judged are rounds that write.

#include "explorer.hpp"

#include <algorithm>

namespace ringproof::verify {

namespace {

failure never_yields(const thread_state& t) {
    failure f;
    f.kind = failure_kind::livelock;
    f.message = "livelock: this loop waits for another thread and does not yield; that thread may never run";
    f.thread = t.id;
    f.site = t.what.site;
    f.address = t.what.address;
    return f;
}

} // namespace

/// Whether `w` is the newest write of its location that `t` can come to alone.
bool explorer::is_newest_for(const thread_state& t, event_id w) const {
    const auto& co = graph_.loc(graph_.at(w).location).co;
    const auto porf = t.clocks.porf();
    return std::none_of(co.begin() + graph_.co_place(w) + 1, co.end(), [&](event_id later) {
        const event& e = graph_.at(later);
        return porf.includes(e.thread, e.index);
    });
}

/// Judges the rounds of which `t`, before its pending read, may stand at the end: of reads and fences alone.
void explorer::judge_round(thread_state& t) {
    if (!facts_.limits.unfair || facts_.trying || t.waits || t.what.frame == 0) return;
    if (facts_.interrupts || !facts_.limits.reduce.idle_iteration)
        runtime_.bound("loops that do not yield are judged without handlers, and with idle-iteration, only");
    if ((t.places & place_bit(t.what.site)) == 0) return;
    constexpr unsigned tried_anyway = 2; // places; further back it is tried where the thread stood as now
    unsigned met = 0;
    for (unsigned i = t.next_index; i-- > 1;) {
        const event& e = graph_.at(graph_.in_thread(t.id, i));
        if (e.kind == event_kind::fence) continue;
        // A weak compare-exchange does not fail spuriously for ever.
        if (!e.is_read() || e.rmw || e.blocked || e.spurious || !is_newest_for(t, e.rf)) return;
        if (e.site != t.what.site || e.frame != t.what.frame) continue;
        const bool may_be_round = ++met <= tried_anyway || reductions_.idle.stands_as_before(t, e);
        if (may_be_round && reductions_.idle.goes_round(t, i)) refute(never_yields(t));
    }
}

/// Judges the round that the pending read of `t` is, should it read from `w`.
void explorer::judge_round(thread_state& t, event_id w) {
    if (!facts_.limits.unfair || facts_.trying || t.waits || !is_newest_for(t, w)) return;
    if (reductions_.idle.comes_back_at_once(t, graph_.at(w).value)) refute(never_yields(t));
}

/// In a replay, which ends before the read that would begin the next round.
void explorer::judge_all_rounds(thread_state& t) {
    if (!facts_.limits.unfair) return;
    judge_round(t);
    const location_id l = races_.location_of(t, t.what);
    const auto& co = graph_.loc(l).co;
    for (auto i = static_cast<std::uint32_t>(co.size());
         i-- > model::first_coherent<thread_clock>(graph_, l, t.clocks.hb());)
        judge_round(t, co[i]);
}

} // namespace ringproof::verify
