// SPDX-License-Identifier: Apache-2.0
#include "state_graph.hpp"

#include <algorithm>

namespace ringproof::verify::loops {

void state_graph::add_state(unsigned unfinished, bool settled) {
    nodes_.push_back({unfinished, settled, {}});
}

void state_graph::add_step(std::size_t from, std::size_t to, int thread, step_kind kind, alone how) {
    nodes_[from].steps.push_back({to, thread, kind, how});
}

bool state_graph::counts(const node& from, const step& way, bool quiet) const {
    if (way.kind == step_kind::sees_old) return false;
    return !quiet || (way.kind == step_kind::changes_nothing && from.settled && nodes_[way.to].settled);
}

/// Strongly connected components (Tarjan, SIAM J. Comput. 1972), without recursion. @return each node's
template <class Counts>
std::vector<std::size_t> state_graph::components(Counts counts) const {
    constexpr std::size_t none = ~std::size_t{0};
    const std::size_t n = nodes_.size();
    std::vector<std::size_t> index(n, none), low(n, 0), component(n, none), open, next(n, 0), path;
    std::size_t met = 0, found = 0;
    for (std::size_t root = 0; root < n; ++root) {
        if (index[root] != none) continue;
        path.push_back(root);
        while (!path.empty()) {
            const std::size_t at = path.back();
            if (index[at] == none) {
                index[at] = low[at] = met++;
                open.push_back(at);
            }
            bool deeper = false;
            while (next[at] < nodes_[at].steps.size() && !deeper) {
                const step& way = nodes_[at].steps[next[at]];
                if (!counts(nodes_[at], way)) {
                    ++next[at];
                } else if (index[way.to] == none) {
                    path.push_back(way.to); // and comes back to this step
                    deeper = true;
                } else {
                    if (component[way.to] == none) low[at] = std::min(low[at], low[way.to]);
                    ++next[at];
                }
            }
            if (deeper) continue;
            path.pop_back();
            if (low[at] != index[at]) continue;
            for (std::size_t last = none; last != at;) {
                last = open.back();
                open.pop_back();
                component[last] = found;
            }
            ++found;
        }
    }
    return component;
}

bool state_graph::has_fair_cycle(int threads, bool quiet) const {
    const std::vector<std::size_t> component =
        components([&](const node& from, const step& way) { return counts(from, way, quiet); });
    std::vector<unsigned> moving(nodes_.size(), 0);
    for (std::size_t at = 0; at < nodes_.size(); ++at)
        for (const step& way : nodes_[at].steps)
            if (counts(nodes_[at], way, quiet) && component[at] == component[way.to])
                moving[component[at]] |= 1u << way.thread;
    const unsigned all = (1u << threads) - 1;
    for (std::size_t at = 0; at < nodes_.size(); ++at) {
        const unsigned unfinished = nodes_[at].unfinished & all;
        if (unfinished != 0 && (moving[component[at]] & unfinished) == unfinished) return true;
    }
    return false;
}

bool state_graph::has_lone_cycle(int threads, alone least) const {
    for (int t = 0; t < threads; ++t) {
        const auto counts = [&](const node&, const step& way) {
            return way.thread == t && way.kind == step_kind::changes_nothing && way.how >= least;
        };
        const std::vector<std::size_t> component = components(counts);
        for (std::size_t at = 0; at < nodes_.size(); ++at)
            for (const step& way : nodes_[at].steps)
                if (counts(nodes_[at], way) && component[at] == component[way.to]) return true;
    }
    return false;
}

} // namespace ringproof::verify::loops
