// SPDX-License-Identifier: Apache-2.0
#pragma once
// Machines that there are not, searching a recorded tree: the pool is the one that MPI ranks ask, only their searchers,
// messages and deaths are made up.

#include "recorded_tree.hpp"

namespace ringproof::verify::ranks {

struct cluster {
    unsigned ranks = 16;
    double latency = 0.05; ///< seconds of a message, with the nap of who gets it
    double start = 0.05;   ///< seconds until a searcher searches
    double serve = 0.002;  ///< seconds of rank 0 for what is told of a part: reading, dividing and writing it
    /// How far the search misjudges what is left: the standard deviation of the logarithm. Of eight parts the largest was
    /// 1.9 times the mean (docs/how-to/use-several-machines.md).
    double misjudged = 0.5;
    double first_turn = 1;   ///< seconds until a search is divided; and once more to divide it
    double turn = 60;        ///< seconds between two checkpoints
    double lost_after = 30;  ///< seconds until a rank is thought dead
    double dying = 0;        ///< part of the ranks that die in each hour
    double back_after = 120; ///< seconds until another is there in its place
};

struct simulated {
    double seconds = 0;    ///< until all is searched
    double efficiency = 0; ///< of the seconds of all ranks, the part in which the tree was searched once
    std::uint64_t parts = 0, messages = 0, deaths = 0;
    double searched = 0; ///< seconds of the tree that were told as done: all of it, or something is wrong
    double served = 0;   ///< seconds in which rank 0 was busy with what it was told
};

simulated simulate(const recorded_tree& tree, const cluster& machines, unsigned seed);

} // namespace ringproof::verify::ranks
