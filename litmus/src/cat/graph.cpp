// SPDX-License-Identifier: Apache-2.0
#include "graph.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace ringproof::litmus::cat {
namespace {

bool contains(const std::vector<node_id>& list, node_id id) {
    return std::find(list.begin(), list.end(), id) != list.end();
}

} // namespace

/// What remains when an operand is empty. Unused sets are common (a fence that one architecture has): their nodes go
/// away here, and cost nothing in any execution.
std::optional<node_id> graph::with_empty_operand(op what, bool is_set, node_id a, node_id b) {
    const bool a_empty = a >= 0 && is_empty(a), b_empty = b >= 0 && is_empty(b);
    if (!a_empty && !b_empty) return std::nullopt;
    switch (what) {
    case op::unite:
        return a_empty ? b : a;
    case op::subtract:
        return a_empty ? make(op::empty, is_set) : a;
    case op::star:
    case op::optional:
        return make(op::identity, false);
    case op::intersect:
    case op::product:
    case op::sequence:
    case op::plus:
    case op::inverse:
    case op::identity_on:
    case op::domain:
    case op::range:
    case op::different_values:
        return make(op::empty, is_set);
    default:
        return std::nullopt;
    }
}

/// What remains of an operand with itself, or with the identity.
std::optional<node_id> graph::with_idle_operand(op what, bool is_set, node_id a, node_id b) {
    switch (what) {
    case op::unite:
    case op::intersect:
        return a == b ? std::optional(a) : std::nullopt;
    case op::subtract:
        return a == b ? std::optional(make(op::empty, is_set)) : std::nullopt;
    case op::sequence:
        if (at(a).what == op::identity) return b;
        if (at(b).what == op::identity) return a;
        return std::nullopt;
    default:
        return std::nullopt;
    }
}

node_id graph::make(op what, bool is_set, node_id a, node_id b, std::int32_t aux) {
    if (const auto simpler = with_empty_operand(what, is_set, a, b)) return *simpler;
    if (const auto simpler = with_idle_operand(what, is_set, a, b)) return *simpler;
    const bool commutes = what == op::unite || what == op::intersect;
    if (commutes && a > b) std::swap(a, b);
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
    for (const node_id part : {a, b})
        if (part >= 0) n.needs = std::max(n.needs, at(part).needs);
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

/// Is another `let rec`, whose variable n is, over nodes that use one of these variables?
bool graph::is_nested(const node& n, const std::vector<node_id>& variables) const {
    const std::int32_t group = recursive_of[static_cast<std::size_t>(n.aux)].first;
    if (group < 0) return false;
    const auto is_variable = [&](node_id id) { return contains(variables, id); };
    const auto uses_one = [&](node_id part) { return is_variable(at(part).a) || is_variable(at(part).b); };
    const auto& lists = fixed_points[static_cast<std::size_t>(group)].recompute;
    return std::any_of(lists.begin(), lists.end(),
                       [&](const auto& list) { return std::any_of(list.begin(), list.end(), uses_one); });
}

/// Which nodes depend on the variables. Parts have smaller numbers than what they are parts of, so one pass upwards is
/// enough.
/// @returns nothing if one of them is another `let rec` over these variables
std::optional<std::vector<bool>> graph::dependent_on(const std::vector<node_id>& variables) const {
    std::vector<bool> depends(nodes.size(), false);
    const auto does = [&](node_id part) { return part >= 0 && depends[static_cast<std::size_t>(part)]; };
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const node& n = nodes[i];
        const bool variable = contains(variables, static_cast<node_id>(i));
        if (n.what == op::recursive && !variable && is_nested(n, variables)) return std::nullopt;
        depends[i] = variable || does(n.a) || does(n.b);
    }
    return depends;
}

/// The nodes that a body needs: itself, and the parts of those that depend on the variables.
std::vector<bool> graph::needed_by(node_id body, const std::vector<bool>& depends) const {
    std::vector<bool> needed(nodes.size(), false);
    needed[static_cast<std::size_t>(body)] = true;
    for (std::size_t i = nodes.size(); i-- > 0;) {
        if (!needed[i] || !depends[i]) continue;
        for (const node_id part : {nodes[i].a, nodes[i].b})
            if (part >= 0) needed[static_cast<std::size_t>(part)] = true;
    }
    return needed;
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
    const auto depends = dependent_on(variables);
    if (!depends) return false;
    stage most = stage::paths;
    for (const node_id body : bodies) {
        const std::vector<bool> needed = needed_by(body, *depends);
        std::vector<node_id> list;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (!needed[i]) continue;
            most = std::max(most, nodes[i].needs);
            if (!(*depends)[i])
                f.outside.push_back(static_cast<node_id>(i));
            else if (nodes[i].what != op::recursive)
                list.push_back(static_cast<node_id>(i));
        }
        f.recompute.push_back(list);
    }
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if ((*depends)[i]) nodes[i].needs = std::max(nodes[i].needs, most);
    fixed_points.push_back(std::move(f));
    return true;
}

} // namespace ringproof::litmus::cat
