// SPDX-License-Identifier: Apache-2.0
#pragma once
// Many cycles: all up to a size in order, or some by chance, the same for the same seed everywhere.

#include "cycle.hpp"

#include <functional>

namespace ringproof::litmus::cycles {

struct selection {
    std::vector<edge> edges; ///< to choose from, without marks
    std::vector<int> marks;  ///< to choose from; the ordinary access is always among them
    int size = 4;            ///< edges of a cycle at most
    int threads = 4;         ///< at most
    int accesses = 4;        ///< of one thread at most
};

/// Calls `tell` for each critical cycle once, shortest first, until it says false.
void all_cycles(const dialect& d, const selection& s, const std::function<bool(const cycle&)>& tell);

/// Calls `tell` for cycles drawn at random, each once, until it says false or nothing new is found
/// any more. @param seed the same gives the same cycles
void random_cycles(const dialect& d, const selection& s, std::uint64_t seed,
                   const std::function<bool(const cycle&)>& tell);

} // namespace ringproof::litmus::cycles
