// SPDX-License-Identifier: Apache-2.0
#include "evaluator.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace ringproof::litmus::cat {

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

/// Work that is counted, so that a budget of time can end it.
void evaluator::spend(const node& n) {
    if (!watch_) return;
    const bool composes = n.what == op::sequence || n.what == op::plus || n.what == op::star;
    watch_->spend(count(n) * (composes ? 1 + extent_.events / 4 : 1));
}

/// [S] is everywhere in models: as a filter of rows or columns it is cheaper than composing.
void evaluator::sequence(const node& n, word* to) {
    const node& left = graph_.at(n.a);
    const node& right = graph_.at(n.b);
    if (left.what == op::identity_on) return keep_rows(to, memory(n.b), memory(left.a), extent_);
    if (right.what == op::identity_on) return keep_columns(to, memory(n.a), memory(right.a), extent_);
    compose(to, memory(n.a), memory(n.b), extent_);
}

/// Those pairs whose events read or write different values.
void evaluator::differing(const word* pairs, word* to) const {
    const std::size_t words = extent_.words;
    clear(to, extent_.relation());
    if (!values_) return;
    for (std::size_t i = 0; i < extent_.events; ++i)
        each_bit(pairs + i * words, words, [&](std::size_t j) {
            if (values_->differ(i, j)) set_bit(to + i * words, j);
        });
}

void evaluator::compute(node_id id) {
    const node& n = graph_.at(id);
    word* to = memory(id);
    const word* a = n.a >= 0 ? memory(n.a) : nullptr;
    const word* b = n.b >= 0 ? memory(n.b) : nullptr;
    const std::size_t size = count(n), aux = static_cast<std::size_t>(n.aux);
    spend(n);
    switch (n.what) {
    case op::base_set:
    case op::base_relation:
        clear(to, size);
        return bases_->fill(graph_.bases[aux], n.is_set, to);
    case op::reads_from:
        return copy(to, reads_from_.data(), size);
    case op::final_writes:
        return copy(to, final_.data(), size);
    case op::chosen:
        return copy(to, chosen_[aux].data(), size);
    case op::universe:
        for (std::size_t i = 0; i < size; ++i) to[i] = ~word{0};
        return trim(to, size, extent_);
    case op::empty:
        return clear(to, size);
    case op::identity:
        clear(to, size);
        return add_identity(to, extent_);
    case op::constant:
        return copy(to, graph_.constants[aux].data(), size);
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
        return trim(to, size, extent_);
    case op::product:
        return product(to, a, b, extent_);
    case op::sequence:
        return sequence(n, to);
    case op::plus:
        copy(to, a, size);
        return close(to, extent_);
    case op::star:
        copy(to, a, size);
        close(to, extent_);
        return add_identity(to, extent_);
    case op::optional:
        copy(to, a, size);
        return add_identity(to, extent_);
    case op::inverse:
        return invert(to, a, extent_);
    case op::identity_on:
        clear(to, size);
        return each_bit(a, extent_.words, [&](std::size_t i) { set_bit(to + i * extent_.words, i); });
    case op::domain:
        return domain(to, a, extent_);
    case op::range:
        return range(to, a, extent_);
    case op::different_values:
        return differing(a, to);
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
        for (std::size_t i = 0; i < f.bodies.size(); ++i)
            if (apply(f, i)) changed = true;
    }
    for (const std::vector<node_id>& list : f.recompute)
        for (const node_id n : list) stamp(n);
}

/// One equation with the newest values. @returns whether its variable changed
bool evaluator::apply(const fixed_point& f, std::size_t equation) {
    for (const node_id n : f.recompute[equation]) compute(n);
    word* variable = memory(f.variables[equation]);
    const word* body = memory(f.bodies[equation]);
    const std::size_t size = count(graph_.at(f.variables[equation]));
    if (std::equal(variable, variable + size, body)) return false;
    copy(variable, body, size);
    return true;
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
