// SPDX-License-Identifier: Apache-2.0
// An iteration of a loop has read a value that is replaced by now, and fails for that: a queue's head, which it wanted to
// exchange. Its thread has come round (idle_iterations.cpp, retried_iterations.cpp), so the execution has a twin without the
// iteration, and ends blocked. But what the iteration has read besides may be revisited, and then the thread may come to
// something else; so the search would explore all that the other threads do beside it. Here the branch ends at once, where it
// is shown that the thread comes round whatever the iteration reads.
//
// Let R be a read of the iteration, r the write that it reads, and n a write behind r in coherence order. There are two cases.
//
// (1) n is older than R by its stamp, and the thread has made the reads from R to the last one, L, without any event of another in
// between. No revisit deletes R or lets it read another write: it was not added maximally, whatever the prefix
// (revisits.cpp), and the thread has written nothing since, so no other thread has R in its prefix. What was there before R
// stays for the same reason. So each graph that the branch leads to has the iteration up to R. Behind it the thread can read other
// values only where one of its own reads is revisited: no other thread has made one since. L itself may only read from
// writes to come, as those that are there are other ways on from its node, which stay.
//
// (2) n is the last write that a read A of the iteration behind R reads from, or is in the porf-prefix of that, and A was
// revisited (its write is younger than A) or is one that no revisit changes. Then R, A's write and n are in each graph that the
// branch leads to. For let the write w revisit a read, so that A is deleted or revisited. This takes that A is maximal in view
// of w's prefix, so the prefix has A's write and n. R is not maximal in view of n: it is not deleted; and the
// revisited read, which is younger than R, takes the place of A: it reads from w, which has A's write in its prefix. If the thread
// has made the reads from R to A without any event of another in between, that is a read of its own, and up to there it reads what
// it has read. Otherwise it may be another's, and the thread may read anything behind R.
//
// In both cases all that the thread can come to is found by trials: it goes on from R, and sees each value that the
// location of its next read has in any execution; and so on. It has to come round each time: to be where it was before the
// iteration, or where it would be had the first read seen what the last one saw. Else the branch is explored. Some values
// are not tried:
// - Of a location that it has read a thread reads nothing that lies before that in coherence order. Known is which value came
//   behind which.
// - In case (2), what knows of fewer writes of its location than A's write does is not read in the place of A by the thread.
// - A thread that has acquired a write (by the read, or a fence behind it) reads nothing older than the write releases:
//   the reader of a sequence lock that has seen new data does not see the old number again. Known are, for each value of
//   a location, the last values of the others that it was released with.
// - In case (1), L sees nothing that was there before R, behind the values that were read.
// - In case (2), a compare-exchange that expects r's value does not read it from r if a read-modify-write has: only one can. That
//   one stays, as it is n, or lies before n, so that it is not maximal in view of n. A store behind r does not
//   prevent the exchange, which may lie between the two.
// Values of one location are told apart by how many writes they know of, and no two of an execution are alike. In case (1) the thread
// would read one like it behind R anew, and come to L with r still there.
//
// What values a location has, and what they were released with, is learnt. The search notes that from its beginning, as it begins
// anew when it asks of a location for the first time; and it begins anew when it has met something new, or two values
// that are alike, after a branch was dropped: not at once, as there may be more of it. It meets each:
// let E be the smallest graph with something new. E has no such iteration: its thread has written nothing since R, and
// up to what is new it comes round as was shown, so the iteration could be taken off E. A complete execution with E in which
// each thread makes its iterations without interruption has no such iteration, either. As each graph of a dropped branch has
// one for ever, the execution is in none of them. So a search that is stopped and gone on with does not drop any: what was
// dropped in the first part might have been dropped for what the second one shows to be wrong.
//
// Nothing else is lost. An execution that ends has no thread that came round to stay. Where all wait for ever, each
// has seen the newest, or may have; a thread in such an iteration has not: n is newer. An error of
// another thread is one of the graph without the iteration, whose fences order nothing more there, and its own the trials
// meet. A race of another thread with the iteration is left_out.cpp's: a branch is dropped only where no other thread writes,
// in any execution, the plain memory that the iteration or a trial reads. So the trials find there what the thread would, too.
// A plain write of one of the locations makes its values unknown.
//
// The iteration may write plain memory: the link of a node that is to be pushed. What it wrote is put back before the trials.
// The thread has come round where memory is what it would be had the first read seen what the last one saw, and where nothing
// has changed but what the trial was seen to write. No other thread accesses that in any execution, or the branch is
// explored; so each does the same, whatever the iteration leaves there.
//
// Trials take time, and so does beginning anew. Where the branches that end are not worth that, no more are looked for.

#include "stale_iterations.hpp"

#include <algorithm>
#include <utility>

namespace ringproof::verify {

namespace {
constexpr unsigned most_events = 8;  // of an iteration
constexpr unsigned most_begun = 100; // searches
constexpr unsigned few_events = 500;

// What a search that begins anew costs, and what a branch is worth that ends at once: as measured, roughly.
constexpr unsigned events_per_trial = 4;
constexpr unsigned trials_per_branch = 16;
constexpr unsigned few_trials = 1000;
} // namespace

/// Whether the branches that ended were worth what was tried and explored once more for them. Stacks that are popped have many
/// values, each of which makes the search begin anew, and few iterations that fail whatever they read.
bool stale_iterations::is_worth_it() const { return cost_ < few_trials + trials_per_branch * dropped_; }

bool stale_iterations::begins_anew() {
    used_ = outdated_ = false;
    return std::exchange(begins_anew_, false);
}

void stale_iterations::begin_anew() {
    cost_ += facts_.result.events / events_per_trial;
    uses_ = ++begun_ < most_begun && is_worth_it();
    begins_anew_ = true;
    throw anew{};
}

void stale_iterations::note_access(location_id l, event_id write) {
    const event* const added = write == none ? nullptr : &graph_.at(write);
    const bool news = values_.note_access(graph_, graph_.loc(l), added, program_.thread(1).created);
    if (news && used_ && !outdated_) {
        outdated_ = true;
        outdated_at_ = facts_.result.events;
    }
    // It will begin anew; a while longer it may meet more news.
    if (outdated_ && facts_.result.events > 2 * outdated_at_ + few_events) begin_anew();
}

bool stale_iterations::may_be_used(const thread_state& t) const {
    const reductions& reduce = facts_.limits.reduce;
    return uses_ && is_worth_it() && reduce.stale_iteration && !reduce.allocating_iteration && t.pending &&
           !facts_.interrupts && !facts_.tracing && !facts_.processes_may_die && !facts_.limits.unfair &&
           !left_out_.keeps() && execution_.writing() == no_thread;
}

/// Whether the events of the iteration are fences and reads that change nothing, with the states before them.
bool stale_iterations::only_reads(const thread_state& t, const iteration& i) const {
    for (unsigned k = i.first; k < i.end; ++k) {
        const event& e = event_of(t, k);
        if (e.kind == event_kind::fence) continue;
        const bool looks = e.is_read() && !e.rmw && !e.lock && !e.spurious && !e.is_part() && e.frame != 0;
        if (!looks || (!e.blocked && (e.node == none || graph_.loc(e.location).over))) return false;
    }
    return event_of(t, i.first).is_read() && !event_of(t, i.first).blocked;
}

/// Whether `e` is a read that was not added maximally in view of any prefix.
bool stale_iterations::is_stale(const event& e) const {
    if (!e.is_read() || e.blocked) return false;
    const auto& co = graph_.loc(e.location).co;
    return std::any_of(co.begin() + graph_.co_place(e.rf) + 1, co.end(),
                       [&](event_id w) { return graph_.at(w).stamp <= e.stamp; });
}

/// Whether the event `k` of `t` is a read like A of case (2) above, for the iteration's first read.
bool stale_iterations::knows_newer(const thread_state& t, const iteration& i, unsigned k) const {
    const event& read = event_of(t, i.first);
    const event& a = event_of(t, k);
    if (!a.is_read() || a.blocked) return false;
    const event& seen = graph_.at(a.rf);
    if (seen.stamp <= a.stamp && !is_stale(a)) return false;
    const auto& co = graph_.loc(read.location).co;
    return std::any_of(co.begin() + graph_.co_place(read.rf) + 1, co.end(), [&](event_id n) {
        return seen.porf().includes(graph_.at(n).thread, graph_.at(n).index);
    });
}

/// Whether nothing was added between the events `from` and `last` of `t` but its own.
bool stale_iterations::is_made_at_once(const thread_state& t, unsigned from, unsigned last) const {
    const event* e = &event_of(t, last);
    for (unsigned k = last; k > from; --k) {
        if (e != &event_of(t, k) || e->older == none) return false;
        e = &graph_.at(e->older);
    }
    return e == &event_of(t, from);
}

/// Completes `i`. @return whether one of the two cases holds
bool stale_iterations::find(const thread_state& t, iteration& i) const {
    for (unsigned k = i.first; k + 1 < i.end; ++k)
        if (is_stale(event_of(t, k))) i.from = k;
    if (i.from != 0 && is_made_at_once(t, i.from, i.end - 1)) return true;
    i.from = i.first;
    for (unsigned k = i.first; ++k < i.end;) {
        if (!knows_newer(t, i, k)) continue;
        i.for_good = true;
        if (is_made_at_once(t, i.first, k)) i.knows = k;
    }
    return i.for_good;
}

const known_values::values* stale_iterations::values_at(std::uintptr_t address) {
    const known_values::values* const known = values_.find(address);
    if (!known) wants_more_ = values_.note_from_now_on(address) || wants_more_;
    // Perhaps no thread has accessed it yet, and what it had first is not noted.
    if (const location_id l = graph_.find(address); l != none)
        values_.note_access(graph_, graph_.loc(l), nullptr, program_.thread(1).created);
    return known && !known->too_many && !known->twins ? known : nullptr;
}

/// Of all locations that `t` has read in the iteration.
bool stale_iterations::knows_values(const thread_state& t, const iteration& i) {
    bool all = true;
    for (unsigned k = i.first; k < i.end; ++k) {
        const event& e = event_of(t, k);
        if (!e.is_read()) continue;
        all = values_at(graph_.loc(e.location).address) && number_of(e).value != known_values::unknown && all;
    }
    return all;
}

bool stale_iterations::leads_nowhere(thread_state& t) {
    if (!may_be_used(t)) return false;
    iteration i{.first = t.waiting_from, .end = t.next_index};
    if (i.first == 0 || i.first + 1 >= i.end || i.end - i.first > most_events || !only_reads(t, i) ||
        !find(t, i))
        return false;
    wants_more_ = false;
    const bool fails = knows_values(t, i) && fails_from_its_memory(t, i);
    if (wants_more_) begin_anew();
    if (!fails || !left_out_.may_drop_accesses(t, accessed_in_all_)) return false;
    left_out_.note_dropped(t, accessed_in_all_);
    used_ = true;
    ++dropped_;
    facts_.take_for_granted(assumption::stale_iteration, event_of(t, i.from).site);
    return true;
}

} // namespace ringproof::verify
