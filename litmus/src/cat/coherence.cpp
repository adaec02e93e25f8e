// SPDX-License-Identifier: Apache-2.0
#include "coherence.hpp"
#include "../parse/budget.hpp"

#include <algorithm>
#include <map>

namespace ringproof::litmus::cat {
namespace {

enum class letter { rf, inverse_rf, co, po_loc };
using letters = std::vector<letter>;

class acceptor {
  public:
    /// `atomicity`: the word goes from the read of a read-modify-write to its write.
    acceptor(const graph& g, const letters& word_of, bool atomicity = false)
        : graph_(g), word_(word_of), atomicity_(atomicity) {}

    bool accepts(node_id n, std::size_t begin, std::size_t end) {
        const auto key = std::make_tuple(n, begin, end);
        const auto known = known_.find(key);
        if (known != known_.end()) return known->second;
        known_[key] = false; // a let rec asks for itself
        if (stack_is_short()) return false;
        return known_[key] = find(n, begin, end);
    }

  private:
    bool find_base(const std::string& name, std::size_t begin, std::size_t end) const {
        if (name == "po") return end - begin == 1 && word_[begin] == letter::po_loc;
        // Every letter stays at one location.
        if (name == "loc") return end != begin;
        // Of read -rf^-1-> write -co-> other -co-> its own write, the other of another thread.
        if (atomicity_ && name == "rmw") return begin == 0 && end == 3;
        if (atomicity_ && name == "ext") return (begin == 0 && end == 2) || (begin == 2 && end == 3);
        return name == "sm" && end == begin;
    }

    bool find(node_id id, std::size_t begin, std::size_t end) {
        const node& n = graph_.at(id);
        const bool one = end - begin == 1, nothing = end == begin;
        const auto is = [&](letter l) { return one && word_[begin] == l; };
        switch (n.what) {
        case op::base_relation:
            return find_base(graph_.bases[static_cast<std::size_t>(n.aux)], begin, end);
        case op::reads_from:
            return is(letter::rf);
        case op::chosen:
            return is(letter::co) && n.aux == 0 && graph_.choices[0].is_order &&
                   graph_.choices[0].per_location;
        case op::identity:
            return nothing;
        case op::universe:
            return !n.is_set;
        case op::unite:
            return accepts(n.a, begin, end) || accepts(n.b, begin, end);
        case op::intersect:
            return accepts(n.a, begin, end) && accepts(n.b, begin, end);
        case op::subtract: // r \ id: what is cut off is in no cycle with po-loc, which is irreflexive
            return graph_.at(n.b).what == op::identity && !nothing && accepts(n.a, begin, end);
        case op::sequence:
            for (std::size_t cut = begin; cut <= end; ++cut)
                if (accepts(n.a, begin, cut) && accepts(n.b, cut, end)) return true;
            return false;
        case op::star:
        case op::plus:
            if (nothing && n.what == op::star) return true;
            if (accepts(n.a, begin, end)) return true;
            for (std::size_t cut = begin + 1; cut < end; ++cut)
                if (accepts(n.a, begin, cut) && accepts(id, cut, end)) return true;
            return false;
        case op::optional:
            return nothing || accepts(n.a, begin, end);
        case op::inverse:
            return is(letter::inverse_rf) && graph_.at(n.a).what == op::reads_from;
        case op::recursive: {
            const auto [group, position] = graph_.recursive_of[static_cast<std::size_t>(n.aux)];
            return group >= 0 && accepts(graph_.fixed_points[static_cast<std::size_t>(group)]
                                             .bodies[static_cast<std::size_t>(position)],
                                         begin, end);
        }
        default:
            return false;
        }
    }

    const graph& graph_;
    const letters& word_;
    bool atomicity_;
    std::map<std::tuple<node_id, std::size_t, std::size_t>, bool> known_;
};

bool accepted(const graph& g, const check& c, letters word_of) {
    if (c.then != check::effect::reject || c.negated || c.how == check::test::empty) return false;
    for (std::size_t turn = 0; turn < word_of.size(); ++turn) {
        acceptor a(g, word_of);
        if (a.accepts(c.what, 0, word_of.size())) return true;
        // acyclic: any way to cut the cycle into steps of the relation
        if (c.how == check::test::acyclic) {
            std::vector<bool> reached(word_of.size() + 1, false);
            reached[0] = true;
            for (std::size_t i = 0; i < word_of.size(); ++i)
                for (std::size_t j = i + 1; reached[i] && j <= word_of.size(); ++j)
                    if (a.accepts(c.what, i, j)) reached[j] = true;
            if (reached[word_of.size()]) return true;
        }
        std::rotate(word_of.begin(), word_of.begin() + 1, word_of.end());
    }
    return false;
}

} // namespace

forbidden_shapes coherence_of(const graph& g) {
    using l = letter;
    const auto forbidden = [&](const letters& shape) {
        return std::any_of(g.checks.begin(), g.checks.end(),
                           [&](const check& c) { return accepted(g, c, shape); });
    };
    forbidden_shapes f;
    f.read_own_future = forbidden({l::rf, l::po_loc});
    f.all = f.read_own_future && forbidden({l::co, l::po_loc}) &&
            forbidden({l::inverse_rf, l::co, l::po_loc}) && forbidden({l::co, l::rf, l::po_loc}) &&
            forbidden({l::inverse_rf, l::co, l::rf, l::po_loc});
    const letters between{l::inverse_rf, l::co, l::co};
    f.atomicity = f.all && std::any_of(g.checks.begin(), g.checks.end(), [&](const check& c) {
                      return c.then == check::effect::reject && !c.negated && c.how == check::test::empty &&
                             acceptor(g, between, true).accepts(c.what, 0, between.size());
                  });
    return f;
}

} // namespace ringproof::litmus::cat
