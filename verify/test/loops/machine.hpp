// SPDX-License-Identifier: Apache-2.0
#pragma once
// The judge of programs with loops: machines that run a program step by step, every state once. They know
// nothing of graphs, of reduction or of waiting: a loop that waits is a cycle in a finite graph of states.
//
// * sc: one memory; threads take turns.
// * tso: a buffer of stores for each thread, first in, first out (Sewell, Sarkar, Owens, Zappa Nardelli, Myreen,
//   CACM 2010). Read-modify-writes, failed ones too, seq_cst stores and seq_cst fences wait until it is empty.
// * rc11: each location is the list of its messages in coherence order, and each thread has a view: the message
//   of each location below which it cannot read, and behind which alone it can write. This is the promising
//   machine (Kang, Hur, Lahav, Vafeiadis, Dreyer, POPL 2017) without promises, whose executions are RC11's
//   where nothing is seq_cst; release sequences are those of C++20. Programs with seq_cst are refused.
//
// Data races: two plain accesses of a cell, a write among them, that are next in two threads (sc, tso: what is
// unordered by po and rf can be brought next to each other); or a cell's access by a thread that has not seen
// the last write, or a write by one that has not seen all reads since (rc11).

#include "program.hpp"

#include <cstdint>
#include <set>

namespace ringproof::verify::loops {

enum class machine_model : std::uint8_t { sc, tso, rc11 };

struct judgement {
    std::set<outcome> finals{};
    bool fails = false; ///< some execution comes to `fail`
    bool races = false; ///< the other figures then say nothing
    /// Some execution goes on for ever with every thread taking its turns, seeing the newest there is, and
    /// changing nothing: threads wait for ever.
    bool waits = false;
    bool churns = false; ///< the same, but memory may change: threads keep each other from getting on
    /// Some thread, alone from some state on, goes round for ever without a yield, and only reads.
    bool spins = false;
    bool may_spin = false; ///< the same, with read-modify-writes that leave the value
    bool cut = false;      ///< a limit was hit: what there is is true, but there may be more
    std::uint64_t states = 0;
};

struct judge_limits {
    std::uint64_t states = 30'000;
    std::size_t messages = 7; ///< rc11: of one location, those that nobody can read any more left aside
};

/// @throws std::invalid_argument for rc11 and a program with seq_cst
judgement judge(const program& what, machine_model model, const judge_limits& limits = {});

/// Whether every order is seq_cst: rc11 is sc then.
bool all_seq_cst(const program& what);
bool has_read_modify_writes(const program& what);
/// Whether none is.
bool no_seq_cst(const program& what);
/// The same with every load acquire, every store release, every read-modify-write both, and fences that do nothing.
program release_acquire(program what);

} // namespace ringproof::verify::loops
