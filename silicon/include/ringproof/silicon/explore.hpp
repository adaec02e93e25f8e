// SPDX-License-Identifier: Apache-2.0
#pragma once
// Finds every execution of a program that a machine's memory model allows, each once.
//
// The search keeps no executions; it is a tree of choices whose alternatives exclude each other:
//
//  1. Every thread runs ahead as far as it can, past reads whose values are unknown. It waits where an unknown value
//     decides a branch or an address. A choice that it asks for (does the store-exclusive succeed?) is made both ways.
//  2. Each new write takes a place in the order of the writes to its location: every place is tried.
//  3. While a thread waits, a read that it waits for is given a write that exists: every one is tried. Or it is put
//     off: it reads from a write that does not exist yet, which another thread will make when it goes on.
//  4. When no thread waits, all writes exist, and each open read is given one of them.
//
// After each choice the model is asked whether it allows the part of an execution that there is.
//
// Each execution once: alternatives exclude each other, and a read that was put off reads from none of the writes that
// existed then. Each execution at all: follow it through the tree. The tree could end too early only if every open
// read that a thread waits for is put off. Each of them reads, in the execution, from a write that does not exist yet,
// because its thread waits for another such read: the write depends on that read, through a branch or an address before
// it. So dependencies and reads-from would have a cycle. The models here order a write behind all reads that branches
// and addresses before it depend on, and order data dependencies, and have no cycles of order and reads-from: such
// an execution is not allowed. (Executions in which a program-order-later write is read by others before an earlier
// read has its value, as in load buffering, are no problem: the thread runs ahead.)
//
// A thread that waits for another thread's write (a loop that found nothing new, a lock that is taken) is stuck, and the
// others go on. Once a location that it waits for has a later write than the one it read, the branch ends: the thread
// would have gone on, and another branch has that. Where all others end and no such write has come, it waits for ever.
//
// Branches of the tree can end without an execution: a read was put off and no write came, a choice was contradicted.
// `blocked` counts them. A location that some thread may still write to is not known beforehand.

#include <ringproof/silicon/execution.hpp>
#include <ringproof/silicon/way.hpp>

#include <functional>

namespace ringproof::silicon {

struct found_totals {
    std::uint64_t executions = 0;
    std::uint64_t blocked = 0;     ///< branches of the search that end without an execution
    std::uint64_t parts = 0;       ///< parts of executions that the model was asked about
    std::uint64_t thread_runs = 0; ///< times that a thread was run
    bool cut = false;              ///< a thread went round a loop more often than its machine allows
};

struct sink {
    virtual ~sink() = default;
    /// All threads have finished, all values are known.
    virtual void found(const part_of_execution& whole) = 0;
    /// All threads have finished or are stuck for ever: each has seen the newest writes of what it waits for.
    /// @return whether it counts as an execution
    virtual bool hung(const part_of_execution& whole) { return static_cast<void>(whole), false; }
    /// Is called often; may throw to end the search.
    virtual void working() {}
};

/// @throws std::logic_error if the model allows an execution whose values only justify each other: a model that such
/// a search is not for
found_totals explore(machine& program, const model& m, sink& to);
/// Goes only into the alternatives that `by` takes.
found_totals explore(machine& program, const model& m, sink& to, way& by);
/// Adds to the totals, also where the sink ends it.
void explore(machine& program, const model& m, sink& to, way& by, found_totals& totals);

} // namespace ringproof::silicon
