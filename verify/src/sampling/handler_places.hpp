// SPDX-License-Identifier: Apache-2.0
#pragma once
// Where handlers come in during random executions: before each access of their thread with about the same chance,
// or not at all. To toss a coin at each place would come to the k-th one in one of 2^k executions.
//
// How many places a thread has is known from earlier executions: the most that any had. The first one is for finding
// out, so that no handler comes in there.

#include "../graph/clock.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>

namespace ringproof::verify {

class handler_places {
  public:
    explicit handler_places(std::uint64_t seed) : random_(seed) {}

    /// Thread `t` is at a place where one of `handlers` may come in. @return which one, from 1, or 0: none
    unsigned pick(thread_id t, unsigned handlers) {
        const std::uint64_t place = ++passed_[t];
        if (!counted_) return 0;
        // Beyond what was met so far there may be as much again.
        const std::uint64_t left = place <= most_[t] ? most_[t] - place + 1 : place;
        for (unsigned n = 1; n <= handlers; ++n)
            if (random_() % (left + 1) == 0) return n; // this place, of those that are left and none
        return 0;
    }

    /// The execution has ended. @param counts whether later ones have the same places
    void end(bool counts) {
        for (std::size_t t = 0; t < most_.size(); ++t) most_[t] = std::max(most_[t], passed_[t]);
        passed_.fill(0);
        counted_ = counts;
    }

  private:
    std::mt19937_64 random_;
    std::array<std::uint64_t, max_threads> passed_{}, most_{};
    bool counted_ = false;
};

} // namespace ringproof::verify
