// SPDX-License-Identifier: Apache-2.0
#pragma once
// The state of one run over a model's text, and the values its names have. Inside the interpreter:
// instructions (interpreter.cpp), names and values (values.cpp), expressions (evaluate.cpp) and what
// the language brings along (primitives.cpp).

#include "../parse/budget.hpp"
#include "interpreter.hpp"

#include <string_view>

namespace ringproof::litmus::cat::interpreting {

struct scope;
using scope_ptr = std::shared_ptr<const scope>;

struct val {
    enum class kind { node, tag, closure, primitive, tuple, values, procedure, element, pair, order, broken };
    kind what = kind::node;
    node_id node = -1;
    std::string name;       ///< tag, primitive
    std::vector<val> parts; ///< tuple, values (a set of sets, relations or tags)
    const expression* body = nullptr;
    const instruction* procedure = nullptr;
    const model_text* text = nullptr; ///< closure, procedure: where its source is
    scope_ptr where;                  ///< of a closure: what its body sees
    std::size_t first = 0,
                second = 0; ///< element; pair; order: the choice's set and relation are node, extends
    node_id extends = -1;
};

/// One name more than the scope below: definitions never change what was defined before them.
struct scope {
    std::string name;
    std::shared_ptr<val> value;
    mutable scope_ptr below;

    scope(std::string n, std::shared_ptr<val> v, scope_ptr b)
        : name(std::move(n)), value(std::move(v)), below(std::move(b)) {}
    scope(const scope&) = delete;
    scope& operator=(const scope&) = delete;
    /// One after the other: a model may define any number of names, and the stack is short.
    ~scope() {
        while (below && below.use_count() == 1) {
            const scope_ptr next = std::move(below->below);
            below = next;
        }
    }
};

/// What a model of sense stays far below, and a file made to explode does not: the simulator says so
/// before the stack or the memory is used up.
constexpr int deepest_call = 500;
constexpr std::uint64_t most_steps = 500'000;
constexpr std::size_t most_members = 100'000;
constexpr std::size_t largest_tuple = 1'000;
/// Names looked at, members compared: about a nanosecond each.
constexpr std::uint64_t most_work = 500'000'000;

/// The model costs too much. Unlike other errors, no `try … with` goes on after it.
struct too_costly : syntax_error {
    using syntax_error::syntax_error;
};

class interpreter {
  public:
    interpreter(graph& g, const setting& s) : graph_(g), setting_(s) {}
    /// A function that calls itself is in the scope that it sees: somebody has to let go.
    ~interpreter() {
        for (const std::shared_ptr<val>& f : recursive_) f->where.reset();
    }
    interpreter(const interpreter&) = delete;
    interpreter& operator=(const interpreter&) = delete;

    void run(const model_text& m);
    void run_file(const std::string& name, std::size_t offset);
    void run_text(source from);

  private:
    [[noreturn]] void fail(std::size_t offset, std::string_view message) const;
    /// @throws syntax_error when the model has cost too much
    void spend(std::uint64_t work, std::size_t offset) {
        if ((work_ += work) > most_work)
            throw too_costly(text_->from, offset, "this model takes too many steps");
    }
    bool holds(const variant_test& v) const;

    // ---- instructions

    void execute_all(const std::vector<instruction>& body);
    void execute(const instruction& i);
    static std::string set_of_tag(std::string tag);
    void define_tag(const std::string& tag);
    void add_check(const instruction& i);
    void call_procedure(const instruction& i);
    void choose_from(const instruction& i);

    // ---- names

    static scope_ptr with(const std::string& name, val v, const scope_ptr& below);

    void define(const std::string& name, const val& v) { scope_ = with(name, v, scope_); }

    scope_ptr match(const pattern& p, const val& v, scope_ptr below, std::size_t offset);
    scope_ptr bind_all(const std::vector<binding>& bindings, const scope_ptr& where);
    scope_ptr bind_recursive(const std::vector<binding>& bindings, const scope_ptr& where);

    struct wrong_guess {
        std::size_t variable;
    };
    val lookup(const std::string& name, std::size_t offset, const scope_ptr& where);

    /// The initial write of a location comes first, the final one last.
    node_id initial_coherence();

    // ---- values

    node_id to_node(const val& v, std::size_t offset);

    node_id node_of(const expression& e, const scope_ptr& where) { return to_node(eval(e, where), e.offset); }

    /// The node, as what it has to be.
    node_id want(node_id n, bool is_set, std::size_t offset);
    std::vector<word> force(node_id n, std::size_t offset);
    std::vector<val> members(const val& v, std::size_t offset);
    static bool same(const val& a, const val& b);
    val insert(const val& member, const val& into, std::size_t offset);
    static val of(node_id n);

    node_id unite(node_id a, node_id b, std::size_t offset) { return same_kind(op::unite, a, b, offset); }

    node_id same_kind(op what, node_id a, node_id b, std::size_t offset);
    node_id closure(op what, const expression& e, const scope_ptr& where);

    // ---- expressions

    static std::size_t size_of(const val& v);
    val eval(const expression& e, const scope_ptr& where);
    bool compare(const expression& e, const scope_ptr& where);
    val call(const val& f, const val& argument, std::size_t offset);
    val call_primitive(const std::string& name, const val& v, std::size_t offset);
    val partition(node_id set, std::size_t offset);
    val linearisations(node_id set, node_id extends, std::size_t offset);

    /// One of each: the unions of one member from each member of a set of sets of relations.
    val cross(const val& v, std::size_t offset);

    graph& graph_;
    const setting& setting_;
    const model_text* text_ = nullptr;
    scope_ptr scope_;
    std::vector<std::shared_ptr<const model_text>> keep_;
    std::vector<std::shared_ptr<val>> recursive_;
    int includes_ = 0;
    bool own_dependencies_ = false;
    int calls_ = 0;
    std::uint64_t steps_ = 0, work_ = 0;
    std::vector<bool>* guessing_ = nullptr;
    const std::vector<node_id>* guessed_ = nullptr;
};

} // namespace ringproof::litmus::cat::interpreting
