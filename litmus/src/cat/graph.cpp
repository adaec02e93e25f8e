// SPDX-License-Identifier: Apache-2.0
#include "graph.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace ringproof::litmus::cat {

node_id graph::make(op what, bool is_set, node_id a, node_id b, std::int32_t aux) {
    // Unused sets are common (a fence no architecture but one has): what they make empty goes away
    // here, and costs nothing in any execution.
    const bool a_empty = a >= 0 && is_empty(a), b_empty = b >= 0 && is_empty(b);
    const auto nothing = [&] { return make(op::empty, is_set); };
    switch (what) {
    case op::unite:
        if (a_empty) return b;
        if (b_empty || a == b) return a;
        if (a > b) std::swap(a, b);
        break;
    case op::intersect:
        if (a_empty || b_empty) return nothing();
        if (a == b) return a;
        if (a > b) std::swap(a, b);
        break;
    case op::subtract:
        if (a_empty || a == b) return nothing();
        if (b_empty) return a;
        break;
    case op::product:
    case op::sequence:
        if (a_empty || b_empty) return nothing();
        if (what == op::sequence && at(a).what == op::identity) return b;
        if (what == op::sequence && at(b).what == op::identity) return a;
        break;
    case op::plus:
    case op::inverse:
    case op::identity_on:
    case op::domain:
    case op::range:
    case op::different_values:
        if (a_empty) return nothing();
        break;
    case op::star:
    case op::optional:
        if (a_empty) return make(op::identity, false);
        break;
    default:
        break;
    }
    const std::string key = fmt::format("{},{},{},{},{}", static_cast<int>(what), is_set, a, b, aux);
    const auto [found, fresh] = index_.try_emplace(key, static_cast<node_id>(nodes.size()));
    if (!fresh) return found->second;
    node n;
    n.what = what;
    n.is_set = is_set;
    n.a = a;
    n.b = b;
    n.aux = aux;
    if (what == op::reads_from || what == op::different_values) n.needs = stage::reads;
    if (what == op::final_writes || what == op::chosen) n.needs = stage::order;
    for (const node_id part : {a, b}) {
        if (part < 0) continue;
        n.needs = std::max(n.needs, at(part).needs);
    }
    nodes.push_back(n);
    return found->second;
}

node_id graph::base(const std::string& name, bool is_set) {
    const auto [found, fresh] = base_index_.try_emplace(name, static_cast<std::int32_t>(bases.size()));
    if (fresh) bases.push_back(name);
    return make(is_set ? op::base_set : op::base_relation, is_set, -1, -1, found->second);
}

node_id graph::constant(std::vector<word> bits, bool is_set) {
    if (none(bits.data(), bits.size())) return make(op::empty, is_set);
    const auto [at, fresh] = constant_index_.try_emplace(bits, static_cast<std::int32_t>(constants.size()));
    if (fresh) constants.push_back(std::move(bits));
    return make(op::constant, is_set, -1, -1, at->second);
}

std::vector<node_id> graph::open_recursion(const std::vector<bool>& are_sets) {
    std::vector<node_id> variables;
    for (const bool is_set : are_sets) {
        variables.push_back(
            make(op::recursive, is_set, -1, -1, static_cast<std::int32_t>(recursive_of.size())));
        recursive_of.emplace_back(-1, -1);
    }
    return variables;
}

bool graph::close_recursion(const std::vector<node_id>& variables, const std::vector<node_id>& bodies,
                            const std::string& diverges) {
    fixed_point f;
    f.diverges = diverges;
    f.variables = variables;
    f.bodies = bodies;
    const auto group = static_cast<std::int32_t>(fixed_points.size());
    for (std::size_t i = 0; i < variables.size(); ++i)
        recursive_of[static_cast<std::size_t>(at(variables[i]).aux)] = {group, static_cast<std::int32_t>(i)};
    enum : char { unseen, independent, dependent };
    std::vector<char> known(nodes.size(), unseen);
    std::vector<node_id> all;
    bool nested = false;
    // Parts have smaller numbers than what they are parts of, so one pass upwards is enough.
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const node& n = nodes[i];
        bool depends =
            std::find(variables.begin(), variables.end(), static_cast<node_id>(i)) != variables.end();
        if (n.what == op::recursive && !depends) {
            const auto [other, position] = recursive_of[static_cast<std::size_t>(n.aux)];
            if (other >= 0)
                for (const std::vector<node_id>& list :
                     fixed_points[static_cast<std::size_t>(other)].recompute)
                    for (const node_id part : list)
                        for (const node_id p : {at(part).a, at(part).b})
                            nested =
                                nested || std::find(variables.begin(), variables.end(), p) != variables.end();
        }
        for (const node_id part : {n.a, n.b})
            depends = depends || (part >= 0 && known[static_cast<std::size_t>(part)] == dependent);
        known[i] = depends ? dependent : independent;
    }
    if (nested) return false;
    stage most = stage::paths;
    for (const node_id body : bodies) {
        std::vector<char> wanted(nodes.size(), 0);
        wanted[static_cast<std::size_t>(body)] = 1;
        for (std::size_t i = nodes.size(); i-- > 0;)
            if (wanted[i] && known[i] == dependent)
                for (const node_id part : {nodes[i].a, nodes[i].b})
                    if (part >= 0) wanted[static_cast<std::size_t>(part)] = 1;
        std::vector<node_id> list;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (!wanted[i]) continue;
            most = std::max(most, nodes[i].needs);
            if (known[i] == independent)
                f.outside.push_back(static_cast<node_id>(i));
            else if (nodes[i].what != op::recursive)
                list.push_back(static_cast<node_id>(i));
        }
        f.recompute.push_back(list);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (known[i] == dependent) nodes[i].needs = std::max(nodes[i].needs, most);
    fixed_points.push_back(std::move(f));
    return true;
}

void evaluator::start(extent e, const base_values& bases) {
    bases_ = &bases;
    const bool same = e.events == extent_.events && offset_.size() == graph_.nodes.size();
    extent_ = e;
    for (std::uint64_t& epoch : epoch_) ++epoch;
    if (same) return;
    // Half a GiB of relations: a model has some hundred, a test that large more events than can be searched.
    constexpr std::size_t most_words = std::size_t{1} << 26;
    if (e.relation() * (graph_.nodes.size() + graph_.choices.size()) > most_words)
        throw cannot_evaluate(fmt::format(
            "this test has too many events ({}) for the relations of the model ({}): not supported", e.events,
            graph_.nodes.size()));
    offset_.resize(graph_.nodes.size());
    stamp_.assign(graph_.nodes.size(), 0);
    std::size_t total = 0;
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
        offset_[i] = total;
        total += count(graph_.nodes[i]);
    }
    storage_.assign(total, 0);
    reads_from_.assign(e.relation(), 0);
    final_.assign(e.words, 0);
    scratch_.assign(e.relation(), 0);
    chosen_.assign(graph_.choices.size(), std::vector<word>(e.relation(), 0));
}

const word* evaluator::value(node_id n) {
    const node& at = graph_.at(n);
    std::uint64_t& stamp = stamp_[static_cast<std::size_t>(n)];
    const std::uint64_t now = epoch_[static_cast<std::size_t>(at.needs)];
    if (stamp == now) return memory(n);
    if (stack_is_short()) throw cannot_evaluate("the relations of this model are nested too deeply");
    if (at.what == op::recursive) {
        solve(static_cast<std::size_t>(graph_.recursive_of[static_cast<std::size_t>(at.aux)].first));
    } else {
        // A filter [S] needs its set only (see compute).
        for (const node_id part : {at.a, at.b}) {
            if (part < 0) continue;
            const node& p = graph_.at(part);
            value(at.what == op::sequence && p.what == op::identity_on ? p.a : part);
        }
        // Solving a fixed point may have computed this on the way.
        if (stamp != now) compute(n);
    }
    stamp = now;
    return memory(n);
}

void evaluator::compute(node_id id) {
    const node& n = graph_.at(id);
    word* to = memory(id);
    const word* a = n.a >= 0 ? memory(n.a) : nullptr;
    const word* b = n.b >= 0 ? memory(n.b) : nullptr;
    const std::size_t size = count(n), events = extent_.events, words = extent_.words;
    if (watch_) {
        const bool composes = n.what == op::sequence || n.what == op::plus || n.what == op::star;
        watch_->spend(size * (composes ? 1 + events / 4 : 1));
    }
    const auto trim = [&](word* row) { // no bits beyond the last event
        if (events % 64)
            row[words - 1] &= (word{1} << (events % 64)) - 1;
        else if (events == 0)
            row[0] = 0;
    };
    switch (n.what) {
    case op::base_set:
    case op::base_relation:
        clear(to, size);
        bases_->fill(graph_.bases[static_cast<std::size_t>(n.aux)], n.is_set, to);
        return;
    case op::reads_from:
        return copy(to, reads_from_.data(), size);
    case op::final_writes:
        return copy(to, final_.data(), size);
    case op::chosen:
        return copy(to, chosen_[static_cast<std::size_t>(n.aux)].data(), size);
    case op::universe:
        for (std::size_t i = 0; i < size; ++i) to[i] = ~word{0};
        for (std::size_t i = 0; i < size; i += words) trim(to + i);
        return;
    case op::empty:
        return clear(to, size);
    case op::identity:
        clear(to, size);
        for (std::size_t i = 0; i < events; ++i) set_bit(to + i * words, i);
        return;
    case op::constant:
        return copy(to, graph_.constants[static_cast<std::size_t>(n.aux)].data(), size);
    case op::unite:
        for (std::size_t i = 0; i < size; ++i) to[i] = a[i] | b[i];
        return;
    case op::intersect:
        for (std::size_t i = 0; i < size; ++i) to[i] = a[i] & b[i];
        return;
    case op::subtract:
        for (std::size_t i = 0; i < size; ++i) to[i] = a[i] & ~b[i];
        return;
    case op::complement:
        for (std::size_t i = 0; i < size; ++i) to[i] = ~a[i];
        for (std::size_t i = 0; i < size; i += words) trim(to + i);
        return;
    case op::product:
        for (std::size_t i = 0; i < events; ++i)
            if (test_bit(a, i))
                copy(to + i * words, b, words);
            else
                clear(to + i * words, words);
        return;
    case op::sequence: {
        // [S] is everywhere in models: as a filter of rows or columns it is cheaper than composing.
        const node& left = graph_.at(n.a);
        const node& right = graph_.at(n.b);
        if (left.what == op::identity_on) {
            const word* set = memory(left.a);
            for (std::size_t i = 0; i < events; ++i)
                if (test_bit(set, i))
                    copy(to + i * words, b + i * words, words);
                else
                    clear(to + i * words, words);
            return;
        }
        if (right.what == op::identity_on) {
            const word* set = memory(right.a);
            for (std::size_t i = 0; i < size; i += words)
                for (std::size_t w = 0; w < words; ++w) to[i + w] = a[i + w] & set[w];
            return;
        }
        return compose(to, a, b, extent_);
    }
    case op::plus:
    case op::star:
        copy(to, a, size);
        close(to, extent_);
        if (n.what == op::star)
            for (std::size_t i = 0; i < events; ++i) set_bit(to + i * words, i);
        return;
    case op::optional:
        copy(to, a, size);
        for (std::size_t i = 0; i < events; ++i) set_bit(to + i * words, i);
        return;
    case op::inverse:
        return invert(to, a, extent_);
    case op::identity_on:
        clear(to, size);
        for (std::size_t i = 0; i < events; ++i)
            if (test_bit(a, i)) set_bit(to + i * words, i);
        return;
    case op::domain:
        clear(to, size);
        for (std::size_t i = 0; i < events; ++i)
            if (!none(a + i * words, words)) set_bit(to, i);
        return;
    case op::range:
        clear(to, size);
        for (std::size_t i = 0; i < events; ++i)
            for (std::size_t w = 0; w < words; ++w) to[w] |= a[i * words + w];
        return;
    case op::different_values:
        clear(to, size);
        for (std::size_t i = 0; i < events; ++i)
            each_bit(a + i * words, words, [&](std::size_t j) {
                if (values_ && values_->differ(i, j)) set_bit(to + i * words, j);
            });
        return;
    case op::recursive:
        return;
    }
}

// As herd7 does it: from empty, one equation after the other with the newest values, until a whole
// round changes nothing. Models rely on that order where an equation is not monotone.
void evaluator::solve(std::size_t group) {
    const fixed_point& f = graph_.fixed_points[group];
    for (const node_id n : f.outside) value(n);
    const auto stamp = [&](node_id n) {
        stamp_[static_cast<std::size_t>(n)] = epoch_[static_cast<std::size_t>(graph_.at(n).needs)];
    };
    for (const node_id v : f.variables) {
        clear(memory(v), count(graph_.at(v)));
        stamp(v);
    }
    // An equation that is not monotone may go round for ever. A state met before proves it: each is compared with one
    // kept back, which is renewed after 2, 4, 8, … rounds.
    std::vector<word> kept, now;
    std::uint64_t round = 0, renew = 2;
    for (bool changed = true; changed;) {
        changed = false;
        if (++round > 2) {
            take_down(f, now);
            if (now == kept) throw cannot_evaluate(f.diverges);
        }
        if (round == renew) {
            take_down(f, kept);
            renew *= 2;
        }
        for (std::size_t i = 0; i < f.bodies.size(); ++i) {
            for (const node_id n : f.recompute[i]) compute(n);
            word* variable = memory(f.variables[i]);
            const word* body = memory(f.bodies[i]);
            const std::size_t size = count(graph_.at(f.variables[i]));
            if (std::equal(variable, variable + size, body)) continue;
            copy(variable, body, size);
            changed = true;
        }
    }
    for (const std::vector<node_id>& list : f.recompute)
        for (const node_id n : list) stamp(n);
}

void evaluator::take_down(const fixed_point& f, std::vector<word>& to) {
    to.clear();
    for (const node_id v : f.variables) to.insert(to.end(), memory(v), memory(v) + count(graph_.at(v)));
}

bool evaluator::holds(const check& c) {
    const node& n = graph_.at(c.what);
    const word* r = value(c.what);
    bool result = false;
    switch (c.how) {
    case check::test::empty:
        result = none(r, count(n));
        break;
    case check::test::irreflexive:
        result = n.what == op::empty || !reflexive_somewhere(r, extent_);
        break;
    case check::test::acyclic:
        result = n.what == op::empty || !cyclic(r, extent_);
        break;
    }
    return result != c.negated;
}

} // namespace ringproof::litmus::cat
