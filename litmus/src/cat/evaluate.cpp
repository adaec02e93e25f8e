// SPDX-License-Identifier: Apache-2.0
// The value of an expression.
#include "interpretation.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace ringproof::litmus::cat {
namespace interpreting {

using ekind = expression::kind;

std::size_t interpreter::size_of(const val& v) {
    std::size_t all = 1;
    for (const val& part : v.parts) all += size_of(part);
    return all;
}

val interpreter::eval(const expression& e, const scope_ptr& where) {
    if (++steps_ > most_steps) throw too_costly(text_->from, e.offset, "this model takes too many steps");
    if (stack_is_short())
        throw too_costly(text_->from, e.offset,
                         "this expression and the functions it calls are nested too deeply");
    const auto part = [&](std::size_t k) { return node_of(*e.parts[k], where); };
    switch (e.what) {
    case ekind::name:
        return lookup(e.name, e.offset, where);
    case ekind::tag: {
        val v;
        v.what = val::kind::tag;
        v.name = e.name;
        return v;
    }
    case ekind::empty:
        return of(graph_.make(op::empty, false));
    case ekind::universe:
        return of(graph_.make(op::universe, true));
    case ekind::set: {
        val all = of(graph_.make(op::empty, true));
        for (const expression_ptr& p : e.parts) all = insert(eval(*p, where), all, p->offset);
        return all;
    }
    case ekind::tuple: {
        val v;
        v.what = val::kind::tuple;
        std::size_t size = 0;
        for (const expression_ptr& p : e.parts) {
            v.parts.push_back(eval(*p, where));
            size += size_of(v.parts.back());
        }
        if (size > largest_tuple) fail(e.offset, "this tuple has too many members");
        return v;
    }
    case ekind::identity:
        return of(graph_.make(op::identity_on, false, want(part(0), true, e.offset)));
    case ekind::unite: {
        const val a = eval(*e.parts[0], where), b = eval(*e.parts[1], where);
        if (a.what == val::kind::values || b.what == val::kind::values) {
            val all = b;
            for (const val& m : members(a, e.offset)) all = insert(m, all, e.offset);
            return all;
        }
        return of(unite(to_node(a, e.offset), to_node(b, e.offset), e.offset));
    }
    case ekind::intersect:
        return of(same_kind(op::intersect, part(0), part(1), e.offset));
    case ekind::subtract:
        return of(same_kind(op::subtract, part(0), part(1), e.offset));
    case ekind::sequence: {
        const node_id a = want(part(0), false, e.offset), b = want(part(1), false, e.offset);
        return of(graph_.make(op::sequence, false, a, b));
    }
    case ekind::product: {
        const node_id a = want(part(0), true, e.offset), b = want(part(1), true, e.offset);
        return of(graph_.make(op::product, false, a, b));
    }
    case ekind::insert:
        return insert(eval(*e.parts[0], where), eval(*e.parts[1], where), e.offset);
    case ekind::complement: {
        const node_id a = part(0);
        if (graph_.is_empty(a)) return of(graph_.make(op::universe, graph_.at(a).is_set));
        return of(graph_.make(op::complement, graph_.at(a).is_set, a));
    }
    case ekind::plus:
        return of(closure(op::plus, e, where));
    case ekind::star:
        return of(closure(op::star, e, where));
    case ekind::optional:
        return of(closure(op::optional, e, where));
    case ekind::inverse:
        return of(closure(op::inverse, e, where));
    case ekind::call:
        return call(eval(*e.parts[0], where), eval(*e.parts[1], where), e.offset);
    case ekind::function: {
        val v;
        v.what = val::kind::closure;
        v.body = &e;
        v.text = text_;
        v.where = where;
        return v;
    }
    case ekind::let:
        return eval(*e.parts[0], bind_all(e.bindings, where));
    case ekind::let_rec:
        return eval(*e.parts[0], bind_recursive(e.bindings, where));
    case ekind::match_set: {
        const val v = eval(*e.parts[0], where);
        const std::vector<val> all = members(v, e.offset);
        if (all.empty()) return eval(*e.parts[1], where);
        val rest;
        if (v.what == val::kind::values) {
            rest.what = val::kind::values;
            rest.parts.assign(all.begin() + 1, all.end());
        } else {
            rest = of(graph_.make(op::subtract, graph_.at(to_node(v, e.offset)).is_set, to_node(v, e.offset),
                                  to_node(all[0], e.offset)));
            rest = of(graph_.constant(force(rest.node, e.offset), graph_.at(rest.node).is_set));
        }
        scope_ptr inner = where;
        if (!e.to.names[0].empty()) inner = with(e.to.names[0], all[0], inner);
        if (!e.to.names[1].empty()) inner = with(e.to.names[1], rest, inner);
        return eval(*e.parts[2], inner);
    }
    case ekind::match_tag: {
        const val v = eval(*e.parts[0], where);
        if (v.what != val::kind::tag) fail(e.offset, "only a tag can be matched here");
        for (std::size_t k = 0; k < e.names.size(); ++k)
            if (e.names[k].empty() || e.names[k] == v.name) return eval(*e.parts[k + 1], where);
        fail(e.offset, fmt::format("no clause for '{}", v.name));
    }
    case ekind::attempt: {
        const model_text* const here = text_;
        const int calls = calls_;
        try {
            return eval(*e.parts[0], where);
        } catch (const too_costly&) {
            throw;
        } catch (const syntax_error&) {
            text_ = here;
            calls_ = calls;
            return eval(*e.parts[1], where);
        }
    }
    case ekind::choose:
        return eval(*e.parts[holds(e.variant) ? 0 : 1], where);
    case ekind::choose_equal:
    case ekind::choose_subset:
    case ekind::choose_member:
        return eval(*e.parts[compare(e, where) ? 2 : 3], where);
    }
    fail(e.offset, "not supported");
}

bool interpreter::compare(const expression& e, const scope_ptr& where) {
    const val a = eval(*e.parts[0], where), b = eval(*e.parts[1], where);
    if (e.what == ekind::choose_member) {
        for (const val& m : members(b, e.offset))
            if (same(a, m)) return true;
        return false;
    }
    if (e.what == ekind::choose_equal && a.what != val::kind::node && b.what != val::kind::node)
        return same(a, b);
    const std::vector<val> left = members(a, e.offset), right = members(b, e.offset);
    spend(8 * left.size() * right.size(), e.offset);
    const bool within = std::all_of(left.begin(), left.end(), [&](const val& m) {
        return std::any_of(right.begin(), right.end(), [&](const val& o) { return same(m, o); });
    });
    return within && (e.what == ekind::choose_subset || left.size() == right.size());
}

val interpreter::call(const val& f, const val& argument, std::size_t offset) {
    if (f.what == val::kind::primitive) return call_primitive(f.name, argument, offset);
    if (f.what != val::kind::closure) fail(offset, "this is no function: it cannot be applied");
    if (++calls_ > deepest_call) fail(offset, "this function calls itself too deeply");
    const scope_ptr inner = match(f.body->to, argument, f.where, offset);
    const model_text* outer = text_;
    text_ = f.text;
    val result = eval(*f.body->parts[0], inner);
    text_ = outer;
    --calls_;
    return result;
}

} // namespace interpreting
} // namespace ringproof::litmus::cat
