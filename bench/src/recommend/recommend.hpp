// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which of our own policies to use on this machine: `ringproof bench --recommend`.

#include "../harness/results.hpp"

#include <string>
#include <vector>

namespace ringproof::bench {

/// What a choice is between, as a filter on names: our own queues and rings, on the workloads where the policy matters.
std::string candidates();

/// What a variant takes in one regime at one placement.
struct figure {
    std::string where; ///< "same-l3, near"
    double ns = 0;     ///< of the variant, the median
    double default_ns = 0;
    interval faster{1, 1}; ///< the default's time by the variant's, 95 %
};

/// What to use for one purpose.
struct advice {
    std::string purpose;         ///< "records of 64 bytes, one producer"
    std::string peer;            ///< the variant's name in the results
    std::string line;            ///< of C++, to be pasted
    std::vector<figure> figures; ///< of the variant, at each place
    bool compared =
        false; ///< there were enough measurements of others; otherwise it is the default, for want of them
    std::string provided; ///< what it takes besides speed: "records may wait until flush()"; or empty
};

/// For each purpose that was measured the default, or the variant that is faster than it where all its figures are taken
/// together, and slower nowhere, each beyond chance (the 95 % interval of the ratio). Behind it, variants that promise
/// less and are faster than that.
std::vector<advice> recommend(const std::vector<subject>& subjects, const std::vector<observation>& seen);

/// The same for people, on standard output.
void print_advice(const std::vector<advice>& all);

} // namespace ringproof::bench
