// SPDX-License-Identifier: Apache-2.0
#pragma once
// What can be said of a program that is too large to explore: how large, and what random executions show.

#include "explore.hpp"

#include <cstdint>
#include <functional>

namespace ringproof::verify {

struct estimation_options {
    exploration_options exploration = {}; ///< its limits and its `resume` do not apply
    double seconds = 3;                   ///< to spend
    std::uint64_t steps = 0; ///< if not 0: so many steps of the program instead, and no try to finish
    std::uint64_t seed = 1;
    bool evenly = false; ///< choose evenly, as Knuth did: for comparison
};

struct estimate {
    double executions = 0;    ///< complete ones
    double low = 0, high = 0; ///< of 95 % confidence; no bound above where they are not known
    double seconds = 0;       ///< that a search would take; 0: not known
    std::uint64_t walks = 0;
    bool exact = false; ///< the search was that short: it was done
    /// Whether the walks say how many there are. Where nearly all of them end blocked, or one alone stands for much of
    /// the rest, they don't: `low` is all that is known then.
    bool known = true;
    std::uint64_t blocked = 0;     ///< walks that met no complete execution
    std::uintptr_t blocked_at = 0; ///< where most of these ended; 0: nowhere in particular
    double weight = 0;             ///< how many walks that say the same would say as much as these
    exploration_result result;     ///< of the walks; an error found on the way is one
};

/// Estimates how many executions explore() would find, and how long it would take.
RINGPROOF_VERIFY_API estimate estimate_executions(const std::function<void()>& body,
                                                  const estimation_options& options = {});

/// Random executions, of which each that the model allows may be met: accesses go by random priorities, a read is of any
/// write that it may see, a write comes anywhere in coherence order; interrupts come in before each access of their
/// thread with about the same chance, from the second execution on. The same for the same seed.
RINGPROOF_VERIFY_API exploration_result explore_randomly(const std::function<void()>& body,
                                                         std::uint64_t executions, std::uint64_t seed,
                                                         const exploration_options& options = {});

/// Random executions by a scheduler that prefers few changes between threads: it meets bugs that take `depth`
/// ordering constraints, 1 or more, more often than chance does. Stores take effect in the order in which
/// they are made; reads may be of older values. The same for the same seed.
RINGPROOF_VERIFY_API exploration_result explore_by_priorities(const std::function<void()>& body,
                                                              std::uint64_t executions, unsigned depth,
                                                              std::uint64_t seed,
                                                              const exploration_options& options = {});

} // namespace ringproof::verify
