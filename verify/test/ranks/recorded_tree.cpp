// SPDX-License-Identifier: Apache-2.0
#include "recorded_tree.hpp"

#include <ringproof/verify/explore.hpp>

#include <stdexcept>

namespace ringproof::verify::ranks {
namespace {

void add_up(recorded_tree& tree) {
    tree.before.assign(1, 0);
    for (const leaf& l : tree.leaves) tree.before.push_back(tree.before.back() + l.seconds);
}

} // namespace

recorded_tree record(const std::string& name, const std::function<void()>& body, std::size_t most) {
    recorded_tree tree{name, {}, {}};
    exploration_options o;
    o.limits.hangs_refute = false;
    o.limits.executions = most + 1;
    o.on_end = [&](const search_position& at) {
        // Ways only grow, unless the search has begun anew.
        if (!tree.leaves.empty() && at.ways <= tree.leaves.back().ways) tree.leaves.clear();
        // By executions: the seconds of one say more of the machine than of the tree.
        tree.leaves.push_back({at.ways, 1});
    };
    const exploration_result found = explore(body, o);
    if (found.stopped || found.error.kind != failure_kind::nothing)
        throw std::runtime_error(name + ": it is not searched to its end");
    if (tree.leaves.size() != found.executions + found.blocked)
        throw std::logic_error(name + ": it has other executions than were recorded");
    add_up(tree);
    return tree;
}

recorded_tree scaled(recorded_tree tree, double seconds) {
    const double factor = seconds / tree.before.back();
    for (leaf& l : tree.leaves) l.seconds *= factor;
    add_up(tree);
    return tree;
}

} // namespace ringproof::verify::ranks
