// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which CPU each worker is pinned to, by hwloc's view of the machine.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringproof::litmus {

enum class affinity {
    none,     ///< the scheduler decides
    incr,     ///< CPUs in the order in which the system numbers them
    siblings, ///< hardware threads of one core
    l3,       ///< different cores below one L3 cache
    package   ///< different packages
};

std::optional<affinity> affinity_from(std::string_view name);
std::string_view to_string(affinity a);

/// How many CPUs this process may use.
std::size_t usable_cpus();

/// At most `wanted` CPUs (system numbers) that stand in that relation, none twice. For `siblings`,
/// `l3` and `package` an empty list says that this machine has no two such CPUs.
std::vector<unsigned> choose_cpus(affinity a, std::size_t wanted);

/// Pins the calling thread. False if the system refuses.
bool pin_to(unsigned cpu);

} // namespace ringproof::litmus
