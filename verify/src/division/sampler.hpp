// SPDX-License-Identifier: Apache-2.0
#pragma once
// Estimating how many executions a search will find from random walks through its tree of decisions
// (Knuth, "Estimating the Efficiency of Backtrack Programs", 1975). Walks that choose evenly say far too
// little of skewed trees: nearly all walks miss the few ways below which nearly everything is. So the
// sampler learns from each walk how much is below the ways of a decision, tells decisions apart by where
// the program is, and chooses a way as often as it is worth (importance sampling). Whatever it has learned, a
// walk's estimate has the right mean, as it is divided by the chance the walk had.

#include "crossing.hpp"

#include <cstdint>
#include <random>
#include <unordered_map>
#include <vector>

namespace ringproof::verify {

class sampler {
  public:
    /// @param learns otherwise it chooses evenly
    sampler(std::uint64_t seed, bool learns) : random_(seed), learns_(learns) {}

    /// A way on from a decision.
    std::uint32_t pick(const crossing& at);

    /// Less than `ways`, each as likely.
    std::uint32_t below(std::uint32_t ways) { return static_cast<std::uint32_t>(uniform() * ways); }

    /// The walk ended, and met so many complete executions.
    /// @return its estimate of how many there are in all
    double end(double value);

  private:
    /// What was below one way: sums over the walks that took it.
    struct seen {
        double walks = 0, squares = 0;
    };
    struct taken {
        std::uint64_t key, coarse;
        double chance;
    };
    void learn(std::uint64_t key, double value);
    double worth(std::uint64_t key, std::uint64_t coarse) const;
    double uniform() { return std::uniform_real_distribution<double>(0, 1)(random_); }

    std::mt19937_64 random_;
    bool learns_;
    std::unordered_map<std::uint64_t, seen> seen_;
    std::vector<taken> path_;
    std::vector<double> chances_;
};

} // namespace ringproof::verify
