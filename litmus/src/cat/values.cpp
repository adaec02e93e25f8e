// SPDX-License-Identifier: Apache-2.0
// Names and what they stand for: scopes, patterns, and the values of expressions as nodes or members.
#include "evaluator.hpp"
#include "interpretation.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace ringproof::litmus::cat {
namespace interpreting {

using ekind = expression::kind;

scope_ptr interpreter::with(const std::string& name, val v, const scope_ptr& below) {
    return std::make_shared<const scope>(name, std::make_shared<val>(std::move(v)), below);
}

scope_ptr interpreter::match(const pattern& p, const val& v, scope_ptr below, std::size_t offset) {
    if (!p.tuple) return p.names[0].empty() ? below : with(p.names[0], v, below);
    if (p.names.empty() && v.what == val::kind::tuple && v.parts.empty()) return below;
    if (v.what != val::kind::tuple || v.parts.size() != p.names.size())
        fail(offset, fmt::format("expected {} values here", p.names.size()));
    for (std::size_t k = 0; k < p.names.size(); ++k)
        if (!p.names[k].empty()) below = with(p.names[k], v.parts[k], below);
    return below;
}

scope_ptr interpreter::bind_all(const std::vector<binding>& bindings, const scope_ptr& where) {
    scope_ptr inner = where;
    for (const binding& b : bindings) {
        val v;
        try {
            v = eval(*b.what, where);
        } catch (const too_costly&) {
            throw;
        } catch (const syntax_error&) {
            // Another name for what is not there: an error only for who uses it, as in herd7.
            if (b.what->what != ekind::name) throw;
            v.what = val::kind::broken;
            v.name = b.what->name;
        }
        inner = match(b.to, v, inner, b.offset);
    }
    return inner;
}

scope_ptr interpreter::bind_recursive(const std::vector<binding>& bindings, const scope_ptr& where) {
    const bool functions = std::all_of(bindings.begin(), bindings.end(),
                                       [](const binding& b) { return b.what->what == ekind::function; });
    scope_ptr inner = where;
    if (functions) {
        std::vector<std::shared_ptr<val>> made;
        for (const binding& b : bindings) {
            made.push_back(std::make_shared<val>());
            recursive_.push_back(made.back());
            inner = std::make_shared<const scope>(b.to.names[0], made.back(), inner);
        }
        for (std::size_t k = 0; k < bindings.size(); ++k) *made[k] = eval(*bindings[k].what, inner);
        return inner;
    }
    // Whether a variable is a set or a relation shows only in its body: try it as a relation.
    std::vector<bool> are_sets(bindings.size(), false);
    for (int attempt = 0;; ++attempt) {
        const std::vector<node_id> variables = graph_.open_recursion(are_sets);
        inner = where;
        for (std::size_t k = 0; k < bindings.size(); ++k) {
            if (bindings[k].to.tuple) fail(bindings[k].offset, "a tuple cannot be defined by let rec");
            val v;
            v.node = variables[k];
            inner = match(bindings[k].to, v, inner, bindings[k].offset);
        }
        std::vector<node_id> bodies;
        std::vector<bool> turned_out(are_sets);
        guessing_ = &turned_out;
        guessed_ = &variables;
        bool wrong = false;
        for (std::size_t k = 0; k < bindings.size(); ++k) {
            try {
                bodies.push_back(to_node(eval(*bindings[k].what, inner), bindings[k].offset));
                if (!graph_.is_empty(bodies.back()) && graph_.at(bodies.back()).is_set != are_sets[k]) {
                    turned_out[k] = !are_sets[k];
                    wrong = true;
                }
            } catch (const wrong_guess& guess) {
                turned_out[guess.variable] = !are_sets[guess.variable];
                wrong = true;
                break;
            }
        }
        guessing_ = nullptr;
        if (wrong && attempt < static_cast<int>(bindings.size()) + 1) {
            are_sets = turned_out;
            continue;
        }
        if (wrong) fail(bindings[0].offset, "sets and relations are mixed up in this let rec");
        spend(graph_.nodes.size() * (bodies.size() + graph_.fixed_points.size()), bindings[0].offset);
        const std::string diverges =
            syntax_error(text_->from, bindings[0].offset,
                         "this let rec has no fixed point in an execution of the test: its values alternate")
                .what();
        if (!graph_.close_recursion(variables, bodies, diverges))
            fail(bindings[0].offset,
                 "a let rec inside another that depends on its variables is not supported");
        return inner;
    }
}

val interpreter::lookup(const std::string& name, std::size_t offset, const scope_ptr& where) {
    for (const scope* s = where.get(); s; s = s->below.get()) {
        spend(8, offset);
        if (s->name == name) {
            if (s->value->what == val::kind::broken)
                fail(offset,
                     fmt::format("'{}' is not defined: it is another name of '{}'", name, s->value->name));
            return *s->value;
        }
    }
    val v;
    if (name == "rf")
        v.node = graph_.make(op::reads_from, false);
    else if (name == "id")
        v.node = graph_.make(op::identity, false);
    else if (name == "co0")
        v.node = initial_coherence();
    else if (name == "FW")
        v.node = graph_.make(op::final_writes, true);
    else if (name == "emptyset" || is_absent_set(name))
        v.node = graph_.make(op::empty, true);
    else if (is_base_set(name))
        v.node = graph_.base(name, true);
    else if (is_base_relation(name))
        v.node = graph_.base(name, false);
    else {
        static const std::set<std::string> primitives{
            "domain",           "range",        "toid",
            "tag2set",          "tag2events",   "tag2instrs",
            "classes-loc",      "partition",    "linearisations",
            "generate_orders",  "generate_cos", "cross",
            "different-values", "same-oa",      "at-least-one-writable",
            "oa-changes"};
        const char* const hint = is_of_bell(name) ? ": its .bell file does that (--bell FILE)" : "";
        if (primitives.count(name) == 0) fail(offset, fmt::format("'{}' is not defined{}", name, hint));
        v.what = val::kind::primitive;
        v.name = name;
    }
    return v;
}

node_id interpreter::initial_coherence() {
    const node_id w = graph_.base("W", true), fw = graph_.make(op::final_writes, true);
    const node_id last = graph_.make(op::product, false, graph_.make(op::subtract, true, w, fw), fw);
    return graph_.make(op::unite, false, graph_.base("co0", false),
                       graph_.make(op::intersect, false, graph_.base("loc", false), last));
}

node_id interpreter::to_node(const val& v, std::size_t offset) {
    switch (v.what) {
    case val::kind::node:
        return v.node;
    case val::kind::element: {
        std::vector<word> bits(setting_.size.words, 0);
        set_bit(bits.data(), v.first);
        return graph_.constant(std::move(bits), true);
    }
    case val::kind::pair: {
        std::vector<word> bits(setting_.size.relation(), 0);
        set_bit(bits.data() + v.first * setting_.size.words, v.second);
        return graph_.constant(std::move(bits), false);
    }
    case val::kind::values:
        if (v.parts.empty()) return graph_.make(op::empty, true);
        [[fallthrough]];
    default:
        fail(offset, "expected a set of events or a relation");
    }
}

node_id interpreter::want(node_id n, bool is_set, std::size_t offset) {
    if (graph_.is_empty(n) || graph_.at(n).is_set == is_set) return n;
    if (graph_.at(n).what == op::universe) return graph_.make(op::universe, is_set);
    if (guessing_ && graph_.at(n).what == op::recursive) {
        const auto at = std::find(guessed_->begin(), guessed_->end(), n);
        if (at != guessed_->end()) throw wrong_guess{static_cast<std::size_t>(at - guessed_->begin())};
    }
    fail(offset, is_set ? "expected a set of events, this is a relation"
                        : "expected a relation, this is a set of events");
}

std::vector<word> interpreter::force(node_id n, std::size_t offset) {
    if (!setting_.execution) throw needs_execution("the model looks into a set");
    if (graph_.at(n).needs != stage::paths)
        fail(offset, "the members of a set that depends on rf or co cannot be matched: not supported");
    spend(graph_.nodes.size() * 16, offset);
    evaluator one(graph_);
    one.start(setting_.size, *setting_.execution);
    const word* bits = one.value(n);
    const std::size_t size = graph_.at(n).is_set ? setting_.size.words : setting_.size.relation();
    return {bits, bits + size};
}

std::vector<val> interpreter::members(const val& v, std::size_t offset) {
    if (v.what == val::kind::values) return v.parts;
    if (v.what == val::kind::order) fail(offset, "coherence orders can only be chosen from (with … from)");
    const node_id n = to_node(v, offset);
    std::vector<val> all;
    if (graph_.is_empty(n)) return all;
    const std::vector<word> bits = force(n, offset);
    if (graph_.at(n).is_set) {
        each_bit(bits.data(), setting_.size.words, [&](std::size_t i) {
            val one;
            one.what = val::kind::element;
            one.first = i;
            all.push_back(one);
        });
        return all;
    }
    for (std::size_t i = 0; i < setting_.size.events; ++i)
        each_bit(bits.data() + i * setting_.size.words, setting_.size.words, [&](std::size_t j) {
            val one;
            one.what = val::kind::pair;
            one.first = i;
            one.second = j;
            all.push_back(one);
        });
    return all;
}

bool interpreter::same(const val& a, const val& b) {
    if (a.what != b.what || a.parts.size() != b.parts.size()) return false;
    for (std::size_t i = 0; i < a.parts.size(); ++i)
        if (!same(a.parts[i], b.parts[i])) return false;
    return a.node == b.node && a.name == b.name && a.first == b.first && a.second == b.second;
}

val interpreter::insert(const val& member, const val& into, std::size_t offset) {
    if (member.what == val::kind::element || member.what == val::kind::pair)
        if (into.what == val::kind::node)
            return of(unite(to_node(member, offset), to_node(into, offset), offset));
    val all = into;
    if (all.what != val::kind::values) {
        if (!graph_.is_empty(to_node(into, offset))) fail(offset, "'++' adds a member to a set");
        all = val();
        all.what = val::kind::values;
    }
    spend(16 * all.parts.size(), offset);
    for (const val& v : all.parts)
        if (same(v, member)) return all;
    if (all.parts.size() >= most_members) fail(offset, "this set has too many members");
    all.parts.insert(all.parts.begin(), member);
    return all;
}

val interpreter::of(node_id n) {
    val v;
    v.node = n;
    return v;
}

node_id interpreter::same_kind(op what, node_id a, node_id b, std::size_t offset) {
    if (!graph_.is_empty(a) && !graph_.is_empty(b) && graph_.at(a).is_set != graph_.at(b).is_set) {
        if (graph_.at(b).what == op::universe || (guessing_ && graph_.at(b).what == op::recursive))
            b = want(b, graph_.at(a).is_set, offset);
        else
            a = want(a, graph_.at(b).is_set, offset);
    }
    return graph_.make(what, graph_.is_empty(a) ? graph_.at(b).is_set : graph_.at(a).is_set, a, b);
}

node_id interpreter::closure(op what, const expression& e, const scope_ptr& where) {
    return graph_.make(what, false, want(node_of(*e.parts[0], where), false, e.offset));
}

} // namespace interpreting
} // namespace ringproof::litmus::cat
