// SPDX-License-Identifier: Apache-2.0
#include "monotone.hpp"

#include <algorithm>

namespace ringproof::litmus::cat {
namespace {

/// As far as the parts, which have smaller numbers, are known; a variable of a `let rec` is what it is taken for.
bool grows(const graph& g, const std::vector<bool>& known, std::size_t id) {
    const node& n = g.nodes[id];
    if (n.needs == stage::paths) return true;
    const auto part = [&](node_id p) { return p < 0 || known[static_cast<std::size_t>(p)]; };
    switch (n.what) {
    case op::recursive:
        return known[id];
    case op::chosen:
        return n.aux == 0 && g.choices[0].is_order && g.choices[0].per_location;
    case op::final_writes:
    case op::complement:
    case op::different_values:
        return false;
    case op::subtract:
        return part(n.a) && g.at(n.b).needs == stage::paths;
    default:
        return part(n.a) && part(n.b);
    }
}

} // namespace

std::vector<bool> growing_nodes(const graph& g) {
    std::vector<bool> known(g.nodes.size(), true);
    // A `let rec` grows if all its bodies do, supposing that its variables do.
    for (bool again = true; again;) {
        for (std::size_t i = 0; i < g.nodes.size(); ++i) known[i] = grows(g, known, i);
        again = false;
        for (const fixed_point& f : g.fixed_points) {
            if (std::all_of(f.bodies.begin(), f.bodies.end(),
                            [&](node_id n) { return known[static_cast<std::size_t>(n)]; }))
                continue;
            for (const node_id v : f.variables) {
                if (g.at(v).needs == stage::paths || !known[static_cast<std::size_t>(v)]) continue;
                known[static_cast<std::size_t>(v)] = false;
                again = true;
            }
        }
    }
    return known;
}

std::vector<std::size_t> checks_for_parts(const graph& g) {
    const std::vector<bool> known = growing_nodes(g);
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < g.checks.size(); ++i) {
        const check& c = g.checks[i];
        if (c.then == check::effect::reject && !c.negated && g.at(c.what).needs != stage::paths &&
            known[static_cast<std::size_t>(c.what)])
            found.push_back(i);
    }
    return found;
}

} // namespace ringproof::litmus::cat
