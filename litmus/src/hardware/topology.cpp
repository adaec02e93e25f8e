// SPDX-License-Identifier: Apache-2.0
#include "topology.hpp"

#include <algorithm>
#include <array>
#include <hwloc.h>
#include <map>
#include <memory>
#include <sched.h>
#include <stdexcept>
#include <utility>

namespace ringproof::litmus {
namespace {

constexpr std::array<std::pair<std::string_view, affinity>, 5> names{{{"none", affinity::none},
                                                                      {"incr", affinity::incr},
                                                                      {"siblings", affinity::siblings},
                                                                      {"l3", affinity::l3},
                                                                      {"package", affinity::package}}};

struct unload {
    void operator()(hwloc_topology* t) const { hwloc_topology_destroy(t); }
};
using topology = std::unique_ptr<hwloc_topology, unload>;

topology load() {
    hwloc_topology_t raw = nullptr;
    if (hwloc_topology_init(&raw) != 0) throw std::runtime_error("hwloc: cannot make a topology");
    topology t(raw);
    if (hwloc_topology_load(raw) != 0) throw std::runtime_error("hwloc: cannot read this machine's topology");
    return t;
}

struct cpu {
    unsigned number;
    hwloc_obj_t core;
    hwloc_obj_t l3;
    hwloc_obj_t package;
};

/// The CPUs that this process may use, not only those that exist.
std::vector<cpu> usable(hwloc_topology_t t) {
    const std::unique_ptr<hwloc_bitmap_s, void (*)(hwloc_bitmap_t)> allowed(hwloc_bitmap_alloc(),
                                                                            hwloc_bitmap_free);
    if (hwloc_get_cpubind(t, allowed.get(), HWLOC_CPUBIND_PROCESS) != 0) hwloc_bitmap_fill(allowed.get());
    std::vector<cpu> cpus;
    for (hwloc_obj_t pu = nullptr; (pu = hwloc_get_next_obj_by_type(t, HWLOC_OBJ_PU, pu));)
        if (hwloc_bitmap_isset(allowed.get(), pu->os_index))
            cpus.push_back({pu->os_index, hwloc_get_ancestor_obj_by_type(t, HWLOC_OBJ_CORE, pu),
                            hwloc_get_ancestor_obj_by_type(t, HWLOC_OBJ_L3CACHE, pu),
                            hwloc_get_ancestor_obj_by_type(t, HWLOC_OBJ_PACKAGE, pu)});
    std::sort(cpus.begin(), cpus.end(), [](const cpu& a, const cpu& b) { return a.number < b.number; });
    return cpus;
}

/// One CPU for each distinct `part`.
template <typename Part>
std::vector<cpu> one_of_each(const std::vector<cpu>& cpus, Part part) {
    std::vector<cpu> out;
    for (const cpu& c : cpus)
        if (std::none_of(out.begin(), out.end(), [&](const cpu& o) { return part(o) == part(c); }))
            out.push_back(c);
    return out;
}

/// The CPUs of the `part` that has most of them.
template <typename Part>
std::vector<cpu> largest(const std::vector<cpu>& cpus, Part part) {
    std::map<hwloc_obj_t, std::vector<cpu>> groups;
    for (const cpu& c : cpus)
        if (part(c)) groups[part(c)].push_back(c);
    std::vector<cpu> best;
    for (auto& [object, group] : groups)
        if (group.size() > best.size()) best = std::move(group);
    return best;
}

} // namespace

std::optional<affinity> affinity_from(std::string_view name) {
    for (const auto& [text, value] : names)
        if (text == name) return value;
    return std::nullopt;
}

std::string_view to_string(affinity a) {
    for (const auto& [text, value] : names)
        if (value == a) return text;
    return "none";
}

std::size_t usable_cpus() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
    return static_cast<std::size_t>(std::max(1, CPU_COUNT(&set)));
}

std::vector<unsigned> choose_cpus(affinity a, std::size_t wanted) {
    if (a == affinity::none) return {};
    const topology t = load();
    std::vector<cpu> cpus = usable(t.get());
    const auto core = [](const cpu& c) { return c.core; };
    if (a == affinity::siblings) cpus = largest(cpus, core);
    if (a == affinity::l3) cpus = one_of_each(largest(cpus, [](const cpu& c) { return c.l3; }), core);
    if (a == affinity::package) cpus = one_of_each(cpus, [](const cpu& c) { return c.package; });
    if (a != affinity::incr && cpus.size() < 2) return {};
    std::vector<unsigned> chosen;
    for (const cpu& c : cpus)
        if (chosen.size() < wanted) chosen.push_back(c.number);
    return chosen;
}

bool pin_to(unsigned number) {
    if (number >= CPU_SETSIZE) return false;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(number, &set);
    return sched_setaffinity(0, sizeof set, &set) == 0;
}

} // namespace ringproof::litmus
