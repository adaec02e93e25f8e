// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which thread goes next, by random priorities that change at a few random steps: a bug that takes `depth`
// ordering constraints is then met with a chance of at least 1 / (threads · steps^(depth-1)) in a
// sequentially consistent execution (Burckhardt, Kothari, Musuvathi, Nagarakatte, "A Randomized Scheduler
// with Probabilistic Guarantees of Finding Bugs", ASPLOS 2010). Under weaker models a change may instead be
// a read of a value that is not the latest (after Gao, Chakraborty, Kulahcioglu Ozkan, "Probabilistic
// Concurrency Testing for Weak Memory Programs", ASPLOS 2023); for those no such bound is claimed.

#include "../graph/clock.hpp"

#include <cstdint>
#include <random>
#include <vector>

namespace ringproof::verify {

class priorities {
  public:
    /// @param depth of the bugs looked for, 1 or more: one more than there are changes
    priorities(std::uint64_t seed, unsigned depth) : random_(seed), depth_(depth) {}

    /// An execution begins.
    void begin();
    /// The one of `runnable` with the highest priority.
    thread_id next(const std::vector<thread_id>& runnable);
    /// Counts a step. @return whether something is to change at it
    bool change_here();
    /// From now on `t` goes only when no other can.
    void demote(thread_id t) { of_[t] = --lowest_; }
    /// A random number below `n`, which is not 0.
    std::uint32_t below(std::uint64_t n) { return static_cast<std::uint32_t>(random_() % n); }

  private:
    std::mt19937_64 random_;
    unsigned depth_;
    std::uint64_t step_ = 0, most_steps_ = 50; ///< of an execution so far
    std::vector<std::uint64_t> changes_;
    double of_[max_threads] = {};
    double lowest_ = 0;
};

} // namespace ringproof::verify
