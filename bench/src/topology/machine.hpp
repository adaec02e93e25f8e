// SPDX-License-Identifier: Apache-2.0
#pragma once
// The CPUs this process may use, and how far apart two of them are, as hwloc tells it. On a virtual
// machine that is what the hypervisor claims, which need not be true: see harness/regime.hpp.

#include <compare>
#include <string>
#include <string_view>
#include <vector>

namespace ringproof::bench {

/// Distance classes, nearest first. `oversubscribed` is no distance: more threads than CPUs.
enum class distance { same_cpu, smt_sibling, same_l2, same_l3, same_package, other_package, oversubscribed };

std::string_view to_string(distance d);
/// @throws std::invalid_argument listing the names there are
distance parse_distance(std::string_view name);

/// One CPU (hwloc PU) with the identity of everything that contains it; -1 where there is no such cache.
struct cpu {
    int index = 0; ///< as the operating system numbers it
    int core = -1;
    int l2 = -1;
    int l3 = -1;
    int package = -1;
    int node = -1;
};

/// The nearest thing two CPUs share.
distance distance_between(const cpu& a, const cpu& b);

struct machine {
    std::vector<cpu> cpus; ///< allowed for this process, in index order

    const cpu* find(int index) const;
    /// Asks hwloc. @throws std::runtime_error when the topology cannot be loaded
    static machine detect();
};

} // namespace ringproof::bench
