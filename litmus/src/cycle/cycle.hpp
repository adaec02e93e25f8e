// SPDX-License-Identifier: Apache-2.0
#pragma once
// From a cycle of edges to a test: threads, locations, values, the outcome that shows the cycle, and
// a name. Every access has the value that makes its edges hold: the stores to a location are numbered
// in the order in which the cycle meets them, and a load that is before a store reads its predecessor.

#include "edge.hpp"

#include <optional>

namespace ringproof::litmus::cycles {

/// An access, at the source of edge `out`.
struct placed {
    access what = access::write;
    int mark = 0;
    int thread = 0;
    int location = 0;
    int value = 0;        ///< stored, or read in the outcome
    bool observed = true; ///< of a load: some edge says what it reads
    edge out;             ///< to the next access; of the last one, back to the first
};

struct cycle {
    std::vector<placed> accesses; ///< threads one after another, each in program order
    int threads = 0;
    int locations = 0;
    std::vector<int> stores; ///< to each location: the last is the number of the final value
    std::string name;        ///< "MP+popl+addr": family, then one label per edge within a thread
    std::string words;       ///< the edges, from the first access on
};

/// Where a cycle begins: so that its family has the usual name, or with its first edge (the last one
/// then leads to another thread), for cycles of which threads are to be compared.
enum class beginning { usual, as_given };

/// Joins the edges into a cycle. @throws bad_cycle
cycle make_cycle(const dialect& d, const std::vector<edge>& edges, beginning from = beginning::usual);
/// The same from words separated by blanks. @throws bad_cycle
cycle parse_cycle(const dialect& d, std::string_view words, beginning from = beginning::usual);

/// Is no relation of the cycle implied by its neighbours? (Rfe Fre is a Coe, PodRR PodRW a PodRW.)
bool is_critical(const std::vector<edge>& edges);
/// The same of two neighbours.
bool is_critical(const edge& one, const edge& next);

} // namespace ringproof::litmus::cycles
