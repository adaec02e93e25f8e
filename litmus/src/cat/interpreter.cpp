// SPDX-License-Identifier: Apache-2.0
#include "interpreter.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>

namespace ringproof::litmus::cat {
namespace {

using ekind = expression::kind;
using ikind = instruction::kind;
namespace fs = std::filesystem;

constexpr int deepest_call = 4000;

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
    scope_ptr below;
};

class interpreter {
  public:
    interpreter(graph& g, const setting& s) : graph_(g), setting_(s) {}

    void run(const model_text& m) {
        const model_text* outer = text_;
        text_ = &m;
        for (const instruction& i : m.body) execute(i);
        // Events of registers there are none; our own file of that name says what follows from them.
        if (m.computes_dependencies && !own_dependencies_)
            fail(m.option_at,
                 "this model computes dependencies from events of registers ('catdep'), which this "
                 "simulator does not make: not supported, unless it includes \"aarch64deps.cat\"");
        text_ = outer;
    }

    void run_file(const std::string& name, std::size_t offset) {
        // Ours come first: herd7's own library computes coherence orders by set matching, ours lets
        // the enumerator do it.
        if (const std::string* ours = built_in(name)) {
            own_dependencies_ = own_dependencies_ || name == "aarch64deps.cat";
            return run_text({name, *ours});
        }
        for (const std::string& folder : setting_.folders) {
            const fs::path file = fs::path(folder) / name;
            std::error_code error;
            if (fs::is_regular_file(file, error)) return run_text(read_source(file.string()));
        }
        fail(offset, fmt::format("there is no file '{}' (searched: {})", name,
                                 setting_.folders.empty() ? "the built-in models"
                                                          : fmt::format("the built-in models, {}",
                                                                        fmt::join(setting_.folders, ", "))));
    }

    void run_text(source from) {
        if (++includes_ > 200)
            throw std::runtime_error(from.file + ": too many files are included: does one include itself?");
        keep_.push_back(parse_model(std::move(from)));
        const auto m = keep_.back();
        run(*m);
    }

  private:
    [[noreturn]] void fail(std::size_t offset, std::string_view message) const {
        throw syntax_error(text_->from, offset, message);
    }

    bool holds(const variant_test& v) const {
        using kind = variant_test::kind;
        switch (v.what) {
        case kind::name:
            return setting_.variants.count(v.name) != 0;
        case kind::negation:
            return !holds(v.parts[0]);
        case kind::conjunction:
            return holds(v.parts[0]) && holds(v.parts[1]);
        case kind::disjunction:
            return holds(v.parts[0]) || holds(v.parts[1]);
        }
        return false;
    }

    // ---- instructions

    void execute_all(const std::vector<instruction>& body) {
        for (const instruction& i : body) execute(i);
    }

    void execute(const instruction& i) {
        switch (i.what) {
        case ikind::let:
            scope_ = bind_all(i.bindings, scope_);
            return;
        case ikind::let_rec:
            scope_ = bind_recursive(i.bindings, scope_);
            execute_all(i.body);
            return;
        case ikind::check:
            return add_check(i);
        case ikind::include:
            return run_file(i.name, i.offset);
        case ikind::procedure: {
            val p;
            p.what = val::kind::procedure;
            p.procedure = &i;
            p.text = text_;
            define(i.name, p);
            return;
        }
        case ikind::call:
            return call_procedure(i);
        case ikind::for_all: {
            const val set = eval(*i.value, scope_);
            const scope_ptr outer = scope_;
            for (const val& member : members(set, i.offset)) {
                scope_ = with(i.name, member, outer);
                execute_all(i.body);
            }
            scope_ = outer;
            return;
        }
        case ikind::with_from:
            return choose_from(i);
        case ikind::when_variant:
            return execute_all(holds(i.variant) ? i.body : i.otherwise);
        case ikind::enumeration:
            for (const std::string& tag : i.names) define_tag(tag);
            return;
        case ikind::match_tag: {
            const val v = eval(*i.value, scope_);
            if (v.what != val::kind::tag) fail(i.offset, "only a tag can be matched here");
            for (std::size_t k = 0; k < i.names.size(); ++k)
                if (i.names[k].empty() || i.names[k] == v.name) return execute_all(i.bodies[k]);
            return;
        }
        case ikind::annotation:
        case ikind::ignored:
            return;
        }
    }

    static std::string set_of_tag(std::string tag) {
        if (!tag.empty() && tag[0] >= 'a' && tag[0] <= 'z') tag[0] = static_cast<char>(tag[0] - 'a' + 'A');
        return tag;
    }

    void define_tag(const std::string& tag) {
        val v;
        v.node = graph_.base(set_of_tag(tag), true);
        define(set_of_tag(tag), v);
    }

    void add_check(const instruction& i) {
        check c;
        c.how = i.how == instruction::test::acyclic       ? check::test::acyclic
                : i.how == instruction::test::irreflexive ? check::test::irreflexive
                                                          : check::test::empty;
        c.then = i.then == instruction::effect::flag               ? check::effect::flag
                 : i.then == instruction::effect::undefined_unless ? check::effect::undefined_unless
                                                                   : check::effect::reject;
        c.negated = i.negated;
        c.name = i.name;
        const val v = eval(*i.value, scope_);
        if (v.what == val::kind::values) { // a set of sets or relations: only emptiness can be asked
            if (c.how != check::test::empty) fail(i.offset, "expected a relation");
            c.what = v.parts.empty() ? graph_.make(op::empty, false) : graph_.make(op::identity, false);
        } else {
            c.what = to_node(v, i.offset);
        }
        if (c.how != check::test::empty && graph_.at(c.what).is_set && !graph_.is_empty(c.what))
            fail(i.offset, "expected a relation, this is a set of events");
        graph_.checks.push_back(c);
    }

    void call_procedure(const instruction& i) {
        const val p = lookup(i.names[0], i.offset, scope_);
        if (p.what != val::kind::procedure) fail(i.offset, fmt::format("'{}' is no procedure", i.names[0]));
        const val argument = eval(*i.value, scope_);
        const scope_ptr outer = scope_;
        scope_ = match(p.procedure->to, argument, outer, i.offset);
        const std::size_t before = graph_.checks.size();
        const model_text* outer_text = text_;
        text_ = p.text;
        execute_all(p.procedure->body);
        text_ = outer_text;
        if (!i.name.empty())
            for (std::size_t k = before; k < graph_.checks.size(); ++k)
                if (graph_.checks[k].name.empty()) graph_.checks[k].name = i.name;
        scope_ = outer;
    }

    void choose_from(const instruction& i) {
        const val from = eval(*i.value, scope_);
        choice c;
        if (from.what == val::kind::order) {
            c.is_order = true;
            c.set = from.node;
            c.extends = from.extends;
            c.per_location = from.first == 0;
            if (graph_.at(c.set).needs != stage::paths)
                fail(i.offset, "the set to be ordered depends on rf or co: not supported");
        } else {
            for (const val& v : members(from, i.offset)) c.alternatives.push_back(to_node(v, i.offset));
        }
        const auto index = static_cast<std::int32_t>(graph_.choices.size());
        graph_.choices.push_back(c);
        val v;
        v.node = graph_.make(op::chosen, false, -1, -1, index);
        define(i.name, v);
    }

    // ---- names

    static scope_ptr with(const std::string& name, val v, const scope_ptr& below) {
        return std::make_shared<const scope>(scope{name, std::make_shared<val>(std::move(v)), below});
    }

    void define(const std::string& name, const val& v) { scope_ = with(name, v, scope_); }

    scope_ptr match(const pattern& p, const val& v, scope_ptr below, std::size_t offset) {
        if (!p.tuple) return p.names[0].empty() ? below : with(p.names[0], v, below);
        if (p.names.empty() && v.what == val::kind::tuple && v.parts.empty()) return below;
        if (v.what != val::kind::tuple || v.parts.size() != p.names.size())
            fail(offset, fmt::format("expected {} values here", p.names.size()));
        for (std::size_t k = 0; k < p.names.size(); ++k)
            if (!p.names[k].empty()) below = with(p.names[k], v.parts[k], below);
        return below;
    }

    scope_ptr bind_all(const std::vector<binding>& bindings, const scope_ptr& where) {
        scope_ptr inner = where;
        for (const binding& b : bindings) {
            val v;
            try {
                v = eval(*b.what, where);
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

    scope_ptr bind_recursive(const std::vector<binding>& bindings, const scope_ptr& where) {
        const bool functions = std::all_of(bindings.begin(), bindings.end(),
                                           [](const binding& b) { return b.what->what == ekind::function; });
        scope_ptr inner = where;
        if (functions) {
            std::vector<std::shared_ptr<val>> made;
            for (const binding& b : bindings) {
                made.push_back(std::make_shared<val>());
                inner = std::make_shared<const scope>(scope{b.to.names[0], made.back(), inner});
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
            if (!graph_.close_recursion(variables, bodies))
                fail(bindings[0].offset,
                     "a let rec inside another that depends on its variables is not supported");
            return inner;
        }
    }

    struct wrong_guess {
        std::size_t variable;
    };

    val lookup(const std::string& name, std::size_t offset, const scope_ptr& where) {
        for (const scope* s = where.get(); s; s = s->below.get())
            if (s->name == name) {
                if (s->value->what == val::kind::broken)
                    fail(offset, fmt::format("'{}' is not defined: it is another name of '{}'", name,
                                             s->value->name));
                return *s->value;
            }
        val v;
        if (name == "rf")
            v.node = graph_.make(op::reads_from, false);
        else if (name == "id")
            v.node = graph_.make(op::identity, false);
        else if (name == "emptyset")
            v.node = graph_.make(op::empty, true);
        else if (name == "co0")
            v.node = initial_coherence();
        else if (name == "FW")
            v.node = graph_.make(op::final_writes, true);
        else if (is_absent_set(name))
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
                "different-values", "same-oa",      "at-least-one-writable"};
            if (primitives.count(name) == 0) fail(offset, fmt::format("'{}' is not defined", name));
            v.what = val::kind::primitive;
            v.name = name;
        }
        return v;
    }

    /// The initial write of a location comes first, the final one last.
    node_id initial_coherence() {
        const node_id w = graph_.base("W", true), fw = graph_.make(op::final_writes, true);
        const node_id last = graph_.make(op::product, false, graph_.make(op::subtract, true, w, fw), fw);
        return graph_.make(op::unite, false, graph_.base("co0", false),
                           graph_.make(op::intersect, false, graph_.base("loc", false), last));
    }

    // ---- values

    node_id to_node(const val& v, std::size_t offset) {
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

    node_id node_of(const expression& e, const scope_ptr& where) { return to_node(eval(e, where), e.offset); }

    /// The node, as what it has to be.
    node_id want(node_id n, bool is_set, std::size_t offset) {
        if (graph_.is_empty(n) || graph_.at(n).is_set == is_set) return n;
        if (graph_.at(n).what == op::universe) return graph_.make(op::universe, is_set);
        if (guessing_ && graph_.at(n).what == op::recursive) {
            const auto at = std::find(guessed_->begin(), guessed_->end(), n);
            if (at != guessed_->end()) throw wrong_guess{static_cast<std::size_t>(at - guessed_->begin())};
        }
        fail(offset, is_set ? "expected a set of events, this is a relation"
                            : "expected a relation, this is a set of events");
    }

    std::vector<word> force(node_id n, std::size_t offset) {
        if (!setting_.execution) throw needs_execution("the model looks into a set");
        if (graph_.at(n).needs != stage::paths)
            fail(offset, "the members of a set that depends on rf or co cannot be matched: not supported");
        evaluator one(graph_);
        one.start(setting_.size, *setting_.execution);
        const word* bits = one.value(n);
        const std::size_t size = graph_.at(n).is_set ? setting_.size.words : setting_.size.relation();
        return {bits, bits + size};
    }

    std::vector<val> members(const val& v, std::size_t offset) {
        if (v.what == val::kind::values) return v.parts;
        if (v.what == val::kind::order)
            fail(offset, "coherence orders can only be chosen from (with … from)");
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

    static bool same(const val& a, const val& b) {
        if (a.what != b.what || a.parts.size() != b.parts.size()) return false;
        for (std::size_t i = 0; i < a.parts.size(); ++i)
            if (!same(a.parts[i], b.parts[i])) return false;
        return a.node == b.node && a.name == b.name && a.first == b.first && a.second == b.second;
    }

    val insert(const val& member, const val& into, std::size_t offset) {
        if (member.what == val::kind::element || member.what == val::kind::pair)
            if (into.what == val::kind::node)
                return of(unite(to_node(member, offset), to_node(into, offset), offset));
        val all = into;
        if (all.what != val::kind::values) {
            if (!graph_.is_empty(to_node(into, offset))) fail(offset, "'++' adds a member to a set");
            all = val();
            all.what = val::kind::values;
        }
        for (const val& v : all.parts)
            if (same(v, member)) return all;
        all.parts.insert(all.parts.begin(), member);
        return all;
    }

    static val of(node_id n) {
        val v;
        v.node = n;
        return v;
    }

    node_id unite(node_id a, node_id b, std::size_t offset) { return same_kind(op::unite, a, b, offset); }

    node_id same_kind(op what, node_id a, node_id b, std::size_t offset) {
        if (!graph_.is_empty(a) && !graph_.is_empty(b) && graph_.at(a).is_set != graph_.at(b).is_set) {
            if (graph_.at(b).what == op::universe || (guessing_ && graph_.at(b).what == op::recursive))
                b = want(b, graph_.at(a).is_set, offset);
            else
                a = want(a, graph_.at(b).is_set, offset);
        }
        return graph_.make(what, graph_.is_empty(a) ? graph_.at(b).is_set : graph_.at(a).is_set, a, b);
    }

    node_id closure(op what, const expression& e, const scope_ptr& where) {
        return graph_.make(what, false, want(node_of(*e.parts[0], where), false, e.offset));
    }

    // ---- expressions

    val eval(const expression& e, const scope_ptr& where) {
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
            for (const expression_ptr& p : e.parts) v.parts.push_back(eval(*p, where));
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
                rest = of(graph_.make(op::subtract, graph_.at(to_node(v, e.offset)).is_set,
                                      to_node(v, e.offset), to_node(all[0], e.offset)));
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

    bool compare(const expression& e, const scope_ptr& where) {
        const val a = eval(*e.parts[0], where), b = eval(*e.parts[1], where);
        if (e.what == ekind::choose_member) {
            for (const val& m : members(b, e.offset))
                if (same(a, m)) return true;
            return false;
        }
        if (e.what == ekind::choose_equal && a.what != val::kind::node && b.what != val::kind::node)
            return same(a, b);
        const std::vector<val> left = members(a, e.offset), right = members(b, e.offset);
        const bool within = std::all_of(left.begin(), left.end(), [&](const val& m) {
            return std::any_of(right.begin(), right.end(), [&](const val& o) { return same(m, o); });
        });
        return within && (e.what == ekind::choose_subset || left.size() == right.size());
    }

    val call(const val& f, const val& argument, std::size_t offset) {
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

    val call_primitive(const std::string& name, const val& v, std::size_t offset) {
        const auto relation = [&](const val& r) { return want(to_node(r, offset), false, offset); };
        const auto set = [&](const val& s) { return want(to_node(s, offset), true, offset); };
        const auto two = [&] {
            if (v.what != val::kind::tuple || v.parts.size() != 2)
                fail(offset, fmt::format("'{}' takes (set, relation)", name));
        };
        if (name == "domain") return of(graph_.make(op::domain, true, relation(v)));
        if (name == "range") return of(graph_.make(op::range, true, relation(v)));
        if (name == "toid") return of(graph_.make(op::identity_on, false, set(v)));
        // Of page tables, which no test of ours has.
        if (name == "same-oa" || name == "at-least-one-writable") return of(graph_.make(op::empty, false));
        if (name == "different-values") return of(graph_.make(op::different_values, false, relation(v)));
        if (name == "tag2set" || name == "tag2events" || name == "tag2instrs") {
            if (v.what != val::kind::tag) fail(offset, fmt::format("'{}' takes a tag", name));
            return of(graph_.base(set_of_tag(v.name), true));
        }
        if (name == "generate_orders" || name == "generate_cos") {
            val order;
            order.what = val::kind::order;
            if (name == "generate_cos") {
                order.node = set(lookup("W", offset, scope_));
                order.extends = relation(v);
            } else {
                two();
                order.node = set(v.parts[0]);
                order.extends = relation(v.parts[1]);
            }
            // The enumerator sees to it that the final write is the last one.
            if (order.extends == initial_coherence()) order.extends = graph_.base("co0", false);
            return order;
        }
        if (name == "classes-loc" || name == "partition") return partition(set(v), offset);
        if (name == "linearisations") {
            two();
            const node_id extends = relation(v.parts[1]);
            if (graph_.at(extends).needs == stage::paths && setting_.execution)
                return linearisations(set(v.parts[0]), extends, offset);
            val order; // to be chosen from, when what it extends is known
            order.what = val::kind::order;
            order.node = set(v.parts[0]);
            order.extends = extends;
            order.first = 1;
            return order;
        }
        return cross(v, offset); // cross
    }

    val partition(node_id set, std::size_t offset) {
        const std::vector<word> bits = force(set, offset);
        const std::vector<word> loc = force(graph_.base("loc", false), offset);
        std::vector<word> left = bits;
        val all;
        all.what = val::kind::values;
        const std::size_t words = setting_.size.words;
        each_bit(bits.data(), words, [&](std::size_t i) {
            if (!test_bit(left.data(), i)) return;
            std::vector<word> one(words, 0);
            for (std::size_t w = 0; w < words; ++w) one[w] = left[w] & loc[i * words + w];
            set_bit(one.data(), i);
            for (std::size_t w = 0; w < words; ++w) left[w] &= ~one[w];
            all.parts.push_back(of(graph_.constant(one, true)));
        });
        return all;
    }

    val linearisations(node_id set, node_id extends, std::size_t offset) {
        const std::vector<word> bits = force(set, offset);
        const std::vector<word> before = force(extends, offset);
        std::vector<std::size_t> left;
        each_bit(bits.data(), setting_.size.words, [&](std::size_t i) { left.push_back(i); });
        val all;
        all.what = val::kind::values;
        std::vector<std::size_t> line;
        const std::function<void()> extend = [&] {
            if (left.empty()) {
                std::vector<word> r(setting_.size.relation(), 0);
                for (std::size_t a = 0; a < line.size(); ++a)
                    for (std::size_t b = a + 1; b < line.size(); ++b)
                        set_bit(r.data() + line[a] * setting_.size.words, line[b]);
                all.parts.push_back(of(graph_.constant(std::move(r), false)));
                return;
            }
            for (std::size_t k = 0; k < left.size(); ++k) {
                const std::size_t next = left[k];
                if (std::any_of(left.begin(), left.end(), [&](std::size_t o) {
                        return test_bit(before.data() + o * setting_.size.words, next);
                    }))
                    continue;
                left.erase(left.begin() + static_cast<std::ptrdiff_t>(k));
                line.push_back(next);
                extend();
                line.pop_back();
                left.insert(left.begin() + static_cast<std::ptrdiff_t>(k), next);
            }
        };
        extend();
        return all;
    }

    /// One of each: the unions of one member from each member of a set of sets of relations.
    val cross(const val& v, std::size_t offset) {
        val all;
        all.what = val::kind::values;
        all.parts.push_back(of(graph_.make(op::empty, false)));
        for (const val& options : members(v, offset)) {
            val next;
            next.what = val::kind::values;
            for (const val& o : members(options, offset))
                for (const val& so_far : all.parts)
                    next.parts.push_back(of(unite(so_far.node, to_node(o, offset), offset)));
            all = std::move(next);
        }
        return all;
    }

    graph& graph_;
    const setting& setting_;
    const model_text* text_ = nullptr;
    scope_ptr scope_;
    std::vector<std::shared_ptr<const model_text>> keep_;
    int includes_ = 0;
    bool own_dependencies_ = false;
    int calls_ = 0;
    std::vector<bool>* guessing_ = nullptr;
    const std::vector<node_id>* guessed_ = nullptr;
};

} // namespace

graph interpret(const model_text& m, const setting& s) {
    graph g;
    interpreter run(g, s);
    run.run_text({"stdlib.cat", *built_in("stdlib.cat")});
    for (const std::string& file : s.libraries) run.run_text(read_source(file));
    run.run(m);
    g.checks.erase(std::remove_if(g.checks.begin(), g.checks.end(),
                                  [&](const check& c) { return s.skipped_checks.count(c.name) != 0; }),
                   g.checks.end());
    return g;
}

} // namespace ringproof::litmus::cat
