// SPDX-License-Identifier: Apache-2.0
#pragma once
// Whether an execution graph is consistent, by the definitions on paper, and whether it has a data race.
//
// rc11: Lahav, Vafeiadis, Kang, Hur, Dreyer, "Repairing Sequential Consistency in C/C++11", PLDI 2017,
// figure 1, with the release sequences of C++20 (a later relaxed store of the same thread no longer
// belongs to one: WG21 P0982R1). sc: all atomics are sequentially consistent. tso: x86-TSO as axioms
// (Owens, Sarkar, Sewell, "A better x86 memory model: x86-TSO", TPHOLs 2009): locked instructions, seq_cst
// stores and seq_cst fences drain the store buffer, every reads-from orders plain data. ra: Lahav, Giannarakis,
// Vafeiadis, "Taming release-acquire consistency", POPL 2016, the plain RA and not SRA: atomics synchronise
// whatever their orders, seq_cst is no more, fences are nothing.

#include "graph.hpp"

namespace ringproof::verify::oracle {

enum class memory_model { rc11, sc, tso, ra };

/// The relations of a graph, named as in the paper. Program order (sb in the paper) is po here.
struct relations {
    relation po, rf, co, fr, rmw; ///< fr is the paper's rb
    relation same_location;       ///< between accesses, not fences
    relation same_bytes;          ///< between accesses of the window that have a byte in common
    relation hb;
    event_set writes = 0, fences = 0, atomics = 0, acquires = 0, releases = 0, seq_csts = 0;
    event_set plain = 0, initial = 0, reads = 0, locked = 0;
    relation same_thread;

    relations(const graph& of, memory_model model);
};

bool consistent(const relations& in, memory_model model);

/// Two accesses of a data location, one of them a write, from different threads, that hb leaves unordered.
bool has_race(const relations& in);

} // namespace ringproof::verify::oracle
