// SPDX-License-Identifier: Apache-2.0
// Weak compare-exchanges that fail although they see what they expect. Such a failure is a read like any other, with
// the failure's order; each write that lets the exchange succeed gives a second way on, in which it fails. It is no
// maximal way, so what a later write revisits is the one that succeeds.
//
// In a loop that tries again, the thread then stands where it was. The execution without the failure, in which it
// tries for the first time now, does the same from here on, so the branch is left (idle_iterations.cpp). What remains are the
// failures that somebody can tell. The plain accesses that go with a failure may race, though: where they say
// anything new, the thread stops, and the others go on.

#include "execution.hpp"

namespace ringproof::verify {

/// Whether a weak compare-exchange at `site`, the `index`-th event of `t`, may fail spuriously: where nothing else
/// bounds how often it does in a row, this does, unless all is to be explored.
bool execution::may_fail_again(thread_id t, unsigned index, std::uintptr_t site) {
    constexpr unsigned most_in_a_row = 3;
    bool may = facts_.limits.spurious != exploring::never;
    if (facts_.limits.spurious == exploring::when_told) {
        unsigned failures = 0;
        for (unsigned i = index; i-- > 1;) {
            const event& e = graph_.at(graph_.in_thread(t, i));
            if (e.site == site && e.rmw) break;
            if (e.site == site && e.spurious) ++failures;
        }
        may = failures < most_in_a_row;
    }
    facts_.take_for_granted(may ? assumption::weak_failures : assumption::spurious_failure, site);
    return may;
}

/// Whether the compare-exchange of `read`, should it see `written`, may fail spuriously.
bool execution::fails_in(const event& read, value_t written) {
    if (read.node == none) return false;
    return written == program_.images().request_of(states_.before(read).state, read.thread).expected &&
           may_fail_again(read.thread, read.index, read.site);
}

/// Whether the plain accesses of `t` since its last event, `read`, are ones that it made just before, too.
bool execution::says_nothing_new(const thread_state& t, const event& read) {
    if (read.node == none) return false;
    const kept_state before = states_.before(read);
    return races_.shadow().repeats_since(before.log, t.id, read.index, t.pure_since,
                                         program_.images().heap_end(before.state, t.id));
}

} // namespace ringproof::verify
