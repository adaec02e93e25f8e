// SPDX-License-Identifier: Apache-2.0
#pragma once
// A model as what is to be computed: nodes over nodes, down to the relations an execution gives.
// Interpreting the cat text once makes the graph; functions are gone by then, equal expressions are
// one node, and each node knows how much of an execution it needs. What depends on program order
// alone is computed once for all executions of the same paths, what depends on reads-from once per
// choice of it, and only the rest for each coherence order.

#include "../model/matrix.hpp"
#include "../parse/budget.hpp"

#include <map>
#include <stdexcept>
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
    std::unordered_map<std::string, node_id> index_;
    std::unordered_map<std::string, std::int32_t> base_index_;
    std::map<std::vector<word>, std::int32_t> constant_index_;
};

/// Where the values of base nodes come from.
struct base_values {
    virtual ~base_values() = default;
    virtual void fill(const std::string& name, bool is_set, word* to) const = 0;
};

/// Whether two events read or write different values; asked only when reads-from is chosen.
struct event_values {
    virtual ~event_values() = default;
    virtual bool differ(std::size_t a, std::size_t b) const = 0;
};

/// A `let rec` whose values never settle, a model too deep for the stack, a test too large for the memory.
/// what() is the whole error.
struct cannot_evaluate : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The values of a graph's nodes in one execution after another. @throws cannot_evaluate
class evaluator {
  public:
    explicit evaluator(const graph& g) : graph_(g) {}

    /// Other paths: everything is to be computed anew. `bases` must outlive the use.
    void start(extent e, const base_values& bases);
    void set_values(const event_values* v) { values_ = v; }
    /// Whom work is counted for. @throws out_of_time, whatever computes, from here on
    void set_watch(watch* w) { watch_ = w; }
    /// The memory of reads-from, to be filled by the caller, who then says so.
    word* reads_from() { return reads_from_.data(); }
    void reads_changed() { ++epoch_[1], ++epoch_[2]; }
    word* chosen(std::size_t choice) { return chosen_[choice].data(); }
    word* final_writes() { return final_.data(); }
    void order_changed() { ++epoch_[2]; }

    const word* value(node_id n);
    bool holds(const check& c);
    extent size() const { return extent_; }

  private:
    void compute(node_id n);
    void solve(std::size_t group);
    void take_down(const fixed_point& f, std::vector<word>& to);
    word* memory(node_id n) { return storage_.data() + offset_[static_cast<std::size_t>(n)]; }
    std::size_t count(const node& n) const { return n.is_set ? extent_.words : extent_.relation(); }

    const graph& graph_;
    extent extent_;
    const base_values* bases_ = nullptr;
    const event_values* values_ = nullptr;
    watch* watch_ = nullptr;
    std::vector<std::size_t> offset_;
    std::vector<std::uint64_t> stamp_;
    std::vector<word> storage_, reads_from_, final_, scratch_;
    std::vector<std::vector<word>> chosen_;
    std::uint64_t epoch_[3] = {0, 0, 0};
};

} // namespace ringproof::litmus::cat
