// SPDX-License-Identifier: Apache-2.0
#include "machine.hpp"

#include <algorithm>
#include <array>
#include <hwloc.h>
#include <memory>
#include <sched.h>
#include <stdexcept>

namespace ringproof::bench {
namespace {

constexpr std::array names{
    std::pair{distance::same_cpu, std::string_view("same-cpu")},
    std::pair{distance::smt_sibling, std::string_view("smt-sibling")},
    std::pair{distance::same_l2, std::string_view("same-l2")},
    std::pair{distance::same_l3, std::string_view("same-l3")},
    std::pair{distance::same_package, std::string_view("same-package")},
    std::pair{distance::other_package, std::string_view("other-package")},
    std::pair{distance::oversubscribed, std::string_view("oversubscribed")},
};

int ancestor(hwloc_topology_t topology, hwloc_obj_t pu, hwloc_obj_type_t type) {
    const hwloc_obj_t object = hwloc_get_ancestor_obj_by_type(topology, type, pu);
    return object ? static_cast<int>(object->logical_index) : -1;
}

bool both(int a, int b) { return a >= 0 && a == b; }

} // namespace

std::string_view to_string(distance d) {
    return std::find_if(names.begin(), names.end(), [&](const auto& n) { return n.first == d; })->second;
}

distance parse_distance(std::string_view name) {
    std::string known;
    for (const auto& [d, n] : names) {
        if (n == name) return d;
        known += known.empty() ? "" : ", ";
        known += n;
    }
    throw std::invalid_argument("no placement class '" + std::string(name) + "' (there are: " + known + ")");
}

distance distance_between(const cpu& a, const cpu& b) {
    if (a.index == b.index) return distance::same_cpu;
    if (both(a.core, b.core)) return distance::smt_sibling;
    if (both(a.l2, b.l2)) return distance::same_l2;
    if (both(a.l3, b.l3)) return distance::same_l3;
    return a.package == b.package ? distance::same_package : distance::other_package;
}

const cpu* machine::find(int index) const {
    const auto found = std::find_if(cpus.begin(), cpus.end(), [&](const cpu& c) { return c.index == index; });
    return found == cpus.end() ? nullptr : &*found;
}

machine machine::detect() {
    hwloc_topology_t topology = nullptr;
    if (hwloc_topology_init(&topology) != 0) throw std::runtime_error("hwloc cannot be initialised");
    const std::unique_ptr<hwloc_topology, void (*)(hwloc_topology_t)> guard(topology, hwloc_topology_destroy);
    if (hwloc_topology_load(topology) != 0) throw std::runtime_error("hwloc cannot read the topology");

    // hwloc's allowed set knows cgroups; taskset only shows in the affinity mask.
    cpu_set_t mine;
    CPU_ZERO(&mine);
    const bool masked = sched_getaffinity(0, sizeof mine, &mine) == 0;

    machine result;
    hwloc_obj_t pu = nullptr;
    while ((pu = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, pu)) != nullptr) {
        if (masked && (pu->os_index >= CPU_SETSIZE || !CPU_ISSET(pu->os_index, &mine))) continue;
        cpu c;
        c.index = static_cast<int>(pu->os_index);
        c.core = ancestor(topology, pu, HWLOC_OBJ_CORE);
        c.l2 = ancestor(topology, pu, HWLOC_OBJ_L2CACHE);
        c.l3 = ancestor(topology, pu, HWLOC_OBJ_L3CACHE);
        c.package = ancestor(topology, pu, HWLOC_OBJ_PACKAGE);
        c.node = pu->nodeset ? hwloc_bitmap_first(pu->nodeset) : -1;
        result.cpus.push_back(c);
    }
    std::sort(result.cpus.begin(), result.cpus.end(),
              [](const cpu& a, const cpu& b) { return a.index < b.index; });
    if (result.cpus.empty()) throw std::runtime_error("hwloc found no CPU this process may use");
    return result;
}

} // namespace ringproof::bench
