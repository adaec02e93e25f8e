// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ringproof/verify/explore.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ringproof::verify::early_wakes {

/// What a program notes at its end: its final state.
using noted = std::array<unsigned, 4>;

/// One kind of generated programs, and the reductions of the search that they are compared with. Without vain-wake a wait
/// ends early at most three times in a row.
struct kind {
    std::string name;
    reductions without;
    /// Whether each order of threads leaves out the same executions. Of a loop that marks its futex before each wait, which
    /// iteration is the one in vain depends on it.
    bool one_by_one = false;
};

struct programs {
    std::function<void()> run;
    noted& seen;
    /// Makes the program of a kind, by its number, and a seed. @return what to print of it
    std::function<std::string(std::size_t kind, std::uint64_t seed)> make;
};

/// Compares the final states and the errors of generated programs with those of a search without the reduction, under sc,
/// tso and rc11; and, one by one, the executions with those that are found in another order of threads, and without
/// blocked-lock. @return the exit code: 1 for a mismatch, 2 for a wrong option, 5 where nothing was left out
int compare(int argc, char** argv, const std::vector<kind>& kinds, const programs& of);

} // namespace ringproof::verify::early_wakes
