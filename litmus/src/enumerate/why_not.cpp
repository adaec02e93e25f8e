// SPDX-License-Identifier: Apache-2.0
#include "why_not.hpp"

#include <algorithm>
#include <deque>

namespace ringproof::litmus {
namespace {

using cat::node_id;
using cat::op;
using steps = std::vector<cycle_step>;

/// How often an expression may call for its parts: a `let rec` may call for itself.
constexpr int deepest = 200;

class expansion {
  public:
    expansion(const cat::graph& g, cat::evaluator& e) : graph_(g), eval_(e), size_(e.size()) {}

    /// The shortest way from an event to an event through this relation, of at least one step.
    std::vector<std::size_t> path(node_id relation, std::size_t from, std::size_t to) {
        const word* r = eval_.value(relation);
        std::vector<std::size_t> before(size_.events, none);
        std::deque<std::size_t> next{from};
        while (!next.empty()) {
            const std::size_t i = next.front();
            next.pop_front();
            for (std::size_t j = 0; j < size_.events; ++j) {
                if (!test_bit(r + i * size_.words, j)) continue;
                if (j == to) {
                    std::vector<std::size_t> way{to, i};
                    for (std::size_t k = i; k != from; way.push_back(k)) k = before[k];
                    std::reverse(way.begin(), way.end());
                    return way;
                }
                if (before[j] != none || j == from) continue;
                before[j] = i;
                next.push_back(j);
            }
        }
        return {};
    }

    /// Appends the steps of one pair of a relation.
    void expand(node_id id, std::size_t from, std::size_t to, steps& out, int depth = 0) {
        const cat::node n = graph_.at(id);
        const auto part = [&](node_id p) { expand(p, from, to, out, depth + 1); };
        if (depth > deepest) {
            out.push_back({from, "…", to});
            return;
        }
        switch (n.what) {
        case op::base_relation: {
            const std::string& name = graph_.bases[static_cast<std::size_t>(n.aux)];
            if (from == to && (name == "sm" || name == "si")) return; // an access with itself
            out.push_back({from, name, to});
            return;
        }
        case op::reads_from:
            out.push_back({from, "rf", to});
            return;
        case op::chosen:
            out.push_back(
                {from, graph_.choices[static_cast<std::size_t>(n.aux)].is_order ? "co" : "chosen", to});
            return;
        case op::identity:
        case op::identity_on:
            return;
        case op::unite:
            return part(holds(n.a, from, to) ? n.a : n.b);
        case op::intersect: // the part that says how one comes from the other
            return part(tells(n.a) ? n.a : n.b);
        case op::subtract:
        case op::different_values:
            return part(n.a);
        case op::optional:
            if (from != to || holds(n.a, from, to)) part(n.a);
            return;
        case op::inverse: {
            steps backwards;
            expand(n.a, to, from, backwards, depth + 1);
            std::reverse(backwards.begin(), backwards.end());
            for (const cycle_step& s : backwards) out.push_back({s.to, s.relation + "^-1", s.from});
            return;
        }
        case op::sequence:
            for (std::size_t k = 0; k < size_.events; ++k)
                if (holds(n.a, from, k) && holds(n.b, k, to)) {
                    expand(n.a, from, k, out, depth + 1);
                    expand(n.b, k, to, out, depth + 1);
                    return;
                }
            return;
        case op::star:
            if (from == to) return;
            [[fallthrough]];
        case op::plus: {
            const std::vector<std::size_t> way = path(n.a, from, to);
            for (std::size_t k = 0; k + 1 < way.size(); ++k) expand(n.a, way[k], way[k + 1], out, depth + 1);
            return;
        }
        case op::recursive: {
            const auto [group, position] = graph_.recursive_of[static_cast<std::size_t>(n.aux)];
            if (group >= 0)
                return part(graph_.fixed_points[static_cast<std::size_t>(group)]
                                .bodies[static_cast<std::size_t>(position)]);
            break;
        }
        default:
            break;
        }
        out.push_back({from, "related", to});
    }

  private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    bool holds(node_id n, std::size_t from, std::size_t to) {
        const cat::node& what = graph_.at(n);
        if (what.what == op::empty) return false;
        if (what.what == op::identity) return from == to;
        if (what.what == op::universe) return true;
        return test_bit(eval_.value(n) + from * size_.words, to);
    }

    /// Says more than of which kind both events are, or that they are of one thread or location.
    bool tells(node_id id) const {
        const cat::node& n = graph_.at(id);
        switch (n.what) {
        case op::product:
        case op::complement:
        case op::universe:
        case op::identity:
            return false;
        case op::base_relation: {
            const std::string& name = graph_.bases[static_cast<std::size_t>(n.aux)];
            return name != "ext" && name != "int" && name != "loc";
        }
        case op::intersect:
            return tells(n.a) || tells(n.b);
        case op::unite:
            return tells(n.a) && tells(n.b);
        default:
            return true;
        }
    }

    const cat::graph& graph_;
    cat::evaluator& eval_;
    extent size_;
};

/// rf^-1 and then co is fr; two steps of po, or of co, are one.
steps shortened(const steps& all) {
    steps out;
    for (const cycle_step& s : all) {
        if (!out.empty() && out.back().to == s.from) {
            cycle_step& last = out.back();
            const bool overwritten = last.relation == "rf^-1" || last.relation == "fr";
            if (overwritten && s.relation == "co") {
                last = {last.from, "fr", s.to};
                continue;
            }
            if (last.relation == s.relation && (s.relation == "po" || s.relation == "co") &&
                last.from != s.to) {
                last.to = s.to;
                continue;
            }
        }
        out.push_back(s);
    }
    return out;
}

/// How a pair of a relation that is to be empty comes about: of two relations that have it, there by one, back by the other.
steps pair_of(const cat::graph& g, expansion& x, cat::node_id relation, std::size_t from, std::size_t to) {
    steps found;
    const cat::node n = g.at(relation);
    if (n.what != cat::op::intersect) {
        x.expand(relation, from, to, found);
        return found;
    }
    x.expand(n.b, from, to, found);
    steps back;
    x.expand(n.a, from, to, back);
    std::reverse(back.begin(), back.end());
    for (const cycle_step& s : back) found.push_back({s.to, s.relation + "^-1", s.from});
    return found;
}

} // namespace

std::vector<cycle_step> cycle_of(const cat::graph& g, cat::evaluator& e, const cat::check& failed) {
    if (failed.negated) return {};
    expansion x(g, e);
    const std::size_t events = e.size().events;
    steps best;
    const auto take = [&](const steps& found) {
        const steps one = shortened(found);
        if (!one.empty() && (best.empty() || one.size() < best.size())) best = one;
    };
    if (g.at(failed.what).is_set) return {};
    if (failed.how == cat::check::test::empty) {
        for (std::size_t i = 0; i < events; ++i)
            for (std::size_t j = 0; j < events; ++j)
                if (test_bit(e.value(failed.what) + i * e.size().words, j))
                    take(pair_of(g, x, failed.what, i, j));
        return best;
    }
    for (std::size_t i = 0; i < events; ++i) {
        steps found;
        if (failed.how == cat::check::test::irreflexive) {
            if (test_bit(e.value(failed.what) + i * e.size().words, i)) x.expand(failed.what, i, i, found);
        } else {
            const std::vector<std::size_t> way = x.path(failed.what, i, i);
            for (std::size_t k = 0; k + 1 < way.size(); ++k) x.expand(failed.what, way[k], way[k + 1], found);
        }
        take(found);
    }
    return best;
}

} // namespace ringproof::litmus
