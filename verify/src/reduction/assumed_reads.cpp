// SPDX-License-Identifier: Apache-2.0
// `assume(word.load() == 4)`: behind a read of another value the thread makes no further event. No event reads from a read,
// and it orders no events of other threads. So a graph with this read is a graph without it, plus the read. It is no complete
// execution, and each error of another thread in it is an error in the graph without the read, which is explored.
//
// So such a read is not made. The thread stands before it, as before one that ends an iteration of a waiting loop
// (idle_iterations.cpp): it looks again when the location has a new write, and then only at what is new. What it
// may read of the old writes are the other ways on from there. An old write with which the assumption fails is dropped at
// once, for a read that was not added maximally is not revisited. Where the read stays, each later write revisits it, and
// each time the search goes on to the end beside a thread that has stopped.
//
// The thread may have made plain accesses between the read and the assumption. Those may be the ones that race: left_out.cpp
// says when they may be given up.
//
// A thread that waits in this way does not hang: the program says that what comes to this is none of its executions. GenMC
// does the same where its compiler finds the condition of a load in the code (load annotations).

#include "assumed_reads.hpp"

namespace ringproof::verify {

/// The last event of `t`, where it is a read behind which an assumption fails at once; otherwise null.
const event* assumed_reads::read_that_fails(const thread_state& t) const {
    const bool stops = t.pending && t.what.act == action::block && t.what.other == 0;
    if (!stops || t.next_index < 2 || !facts_.limits.reduce.assumed_read || facts_.interrupts ||
        facts_.tracing)
        return nullptr;
    const event& last = event_of(t, t.next_index - 1u);
    return last.is_read() ? &last : nullptr;
}

bool assumed_reads::read_in_vain(const thread_state& t, const kept_state& before) {
    const event* const read = read_that_fails(t);
    if (!read || !left_out_.may_give_up_read(t, before)) return false;
    facts_.take_for_granted(assumption::assumed_read, read->site);
    return true;
}

bool assumed_reads::leads_nowhere(const thread_state& t) {
    const event* const read = read_that_fails(t);
    if (!read || read->maximal || !left_out_.may_drop_branch(t, read->index)) return false;
    facts_.take_for_granted(assumption::assumed_read, read->site);
    return true;
}

} // namespace ringproof::verify
