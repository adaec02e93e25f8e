// SPDX-License-Identifier: Apache-2.0
#include "recorded_tree.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace ringproof::verify::ranks {
namespace {

void add_up(recorded_tree& tree) {
    tree.before.assign(1, 0);
    for (const leaf& l : tree.leaves) tree.before.push_back(tree.before.back() + l.seconds);
}

class recorder {
  public:
    recorder(const std::string& name, const std::function<void()>& searched, std::uint64_t wanted)
        : tree{name, 0, {}, {}}, body_(searched), leaves_(wanted) {}
    recorded_tree tree;

    exploration_options options() const {
        exploration_options o;
        o.limits.hangs_refute = false;
        return o;
    }

    /// Divides the whole search, or a part of it, and searches all of that.
    void divide(const exploration_result* of, exploration_result& found, std::uint64_t into) {
        exploration_options o = options();
        o.limits.executions = of ? 1 : leaves_ / 10 + 1;
        o.limits.divide = into;
        o.resume = of;
        o.part = of != nullptr;
        found = explore(body_, o);
        if (!of && found.positions.empty()) throw std::runtime_error(tree.name + ": it is not divided");
        tree.executions += found.executions;
        for (const search_position& at : found.positions) search(found, at);
    }

    /// Searches the subtree at a position. One that is far larger than it should be is divided further.
    void search(const exploration_result& divided, const search_position& at) {
        exploration_result part = divided;
        part.positions = {at};
        part.executions = part.blocked = 0;
        exploration_options o = options();
        o.resume = &part;
        o.part = true;
        exploration_result found = explore(body_, o);
        if (found.stopped) throw std::runtime_error(tree.name + ": a part of it is not searched to its end");
        const std::uint64_t size = found.executions + found.blocked, fair = largest_leaf;
        if (size > fair && size < divided_last_) {
            const std::uint64_t before = std::exchange(divided_last_, size);
            divide(&part, found, size / fair + 1);
            divided_last_ = before;
            return;
        }
        tree.executions += found.executions;
        // By its executions: the seconds of so short a search say more of the machine than of the tree.
        tree.leaves.push_back({at.ways, static_cast<double>(size), at.weight});
    }

    static constexpr std::uint64_t largest_leaf = 8; // executions

  private:
    const std::function<void()>& body_;
    std::uint64_t leaves_ = 0;
    std::uint64_t divided_last_ = std::numeric_limits<std::uint64_t>::max();
};

} // namespace

recorded_tree record(const std::string& name, const std::function<void()>& body, std::uint64_t leaves) {
    recorder r(name, body, leaves);
    exploration_result whole;
    r.divide(nullptr, whole, leaves);
    std::sort(r.tree.leaves.begin(), r.tree.leaves.end(),
              [](const leaf& a, const leaf& b) { return a.ways < b.ways; });
    add_up(r.tree);
    return std::move(r.tree);
}

recorded_tree scaled(recorded_tree tree, double seconds) {
    const double factor = seconds / tree.before.back();
    for (leaf& l : tree.leaves) l.seconds *= factor;
    add_up(tree);
    return tree;
}

} // namespace ringproof::verify::ranks
