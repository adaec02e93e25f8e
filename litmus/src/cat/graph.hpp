// SPDX-License-Identifier: Apache-2.0
#pragma once
// A model as what is to be computed: nodes over nodes, down to the relations an execution gives.
// Interpreting the cat text once makes the graph; functions are gone by then, equal expressions are
// one node, and each node knows how much of an execution it needs. What depends on program order
// alone is computed once for all executions of the same paths, what depends on reads-from once per
// choice of it, and only the rest for each coherence order.

#include "../model/matrix.hpp"

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace ringproof::litmus::cat {

using node_id = std::int32_t;

enum class op : std::uint8_t {
    base_set,      ///< aux: index into graph::bases
    base_relation, ///< likewise
    reads_from,
    final_writes,
    chosen, ///< aux: index into graph::choices
    universe,
    empty,    ///< set or relation: neither its kind nor its content matters
    identity, ///< id
    constant, ///< aux: index into graph::constants
    unite,
    intersect,
    subtract,
    complement,
    product,
    sequence,
    plus,
    star,
    optional,
    inverse,
    identity_on, ///< [S]
    domain,
    range,
    different_values, ///< pairs of a relation whose accesses have different values
    recursive         ///< aux: index of the variable
};

/// How much must have been chosen before a node has a value.
enum class stage : std::uint8_t { paths, reads, order };

struct node {
    op what = op::empty;
    bool is_set = false;
    stage needs = stage::paths;
    node_id a = -1, b = -1;
    std::int32_t aux = 0;
};

/// `with x from …`: a linear order of a set, per location, or one of several relations.
struct choice {
    bool is_order = false;
    bool per_location = true; ///< of an order: of each location by itself, or of the whole set
    node_id set = -1;
    node_id extends = -1;
    std::vector<node_id> alternatives;
};

/// One `let rec`: a least fixed point of all of its variables at once.
struct fixed_point {
    std::vector<node_id> variables;
    std::vector<node_id> bodies;
    std::vector<std::vector<node_id>> recompute; ///< per body: what depends on the variables, in order
    std::vector<node_id> outside;                ///< what those use and that does not
    std::string diverges;                        ///< the error, with its place, if there is none
};

struct check {
    enum class test : std::uint8_t { acyclic, irreflexive, empty };
    enum class effect : std::uint8_t { reject, flag, undefined_unless };
    test how = test::acyclic;
    effect then = effect::reject;
    bool negated = false;
    node_id what = -1;
    std::string name;
};

struct graph {
    std::vector<node> nodes;
    std::vector<std::string> bases;
    std::vector<std::vector<word>> constants; ///< for the extent they were made for
    std::vector<choice> choices;
    std::vector<fixed_point> fixed_points;
    std::vector<std::pair<std::int32_t, std::int32_t>> recursive_of; ///< variable -> group, position
    std::vector<check> checks;

    const node& at(node_id n) const { return nodes[static_cast<std::size_t>(n)]; }
    /// Finds or makes a node, after the simplifications that keep empty things empty.
    node_id make(op what, bool is_set, node_id a = -1, node_id b = -1, std::int32_t aux = 0);
    node_id base(const std::string& name, bool is_set);
    node_id constant(std::vector<word> bits, bool is_set);
    bool is_empty(node_id n) const { return at(n).what == op::empty; }
    /// Makes the variables of a `let rec`, and later closes it over its bodies.
    std::vector<node_id> open_recursion(const std::vector<bool>& are_sets);
    /// @returns false if the bodies hold another `let rec` that depends on this one's variables
    bool close_recursion(const std::vector<node_id>& variables, const std::vector<node_id>& bodies,
                         const std::string& diverges);

  private:
    std::optional<node_id> with_empty_operand(op what, bool is_set, node_id a, node_id b);
    std::optional<node_id> with_idle_operand(op what, bool is_set, node_id a, node_id b);
    bool is_nested(const node& n, const std::vector<node_id>& variables) const;
    std::optional<std::vector<bool>> dependent_on(const std::vector<node_id>& variables) const;
    std::vector<bool> needed_by(node_id body, const std::vector<bool>& depends) const;

    std::unordered_map<std::string, node_id> index_;
    std::unordered_map<std::string, std::int32_t> base_index_;
    std::map<std::vector<word>, std::int32_t> constant_index_;
};

/// Where the values of base nodes come from.
struct base_values {
    virtual ~base_values() = default;
    virtual void fill(const std::string& name, bool is_set, word* to) const = 0;
};

} // namespace ringproof::litmus::cat
