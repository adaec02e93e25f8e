// SPDX-License-Identifier: Apache-2.0
#include "interpretation.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace ringproof::litmus::cat {
namespace interpreting {

using ikind = instruction::kind;
namespace fs = std::filesystem;

void interpreter::run(const model_text& m) {
    const model_text* outer = text_;
    text_ = &m;
    for (const instruction& i : m.body) execute(i);
    // Events of registers there are none; our own file of that name says what follows from them.
    if (m.computes_dependencies && !own_dependencies_)
        fail(m.option_at, "this model computes dependencies from events of registers ('catdep'), which this "
                          "simulator does not make: not supported, unless it includes \"aarch64deps.cat\"");
    text_ = outer;
}

void interpreter::run_file(const std::string& name, std::size_t offset) {
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

void interpreter::run_text(source from) {
    if (++includes_ > 200)
        throw std::runtime_error(from.file + ": too many files are included: does one include itself?");
    keep_.push_back(parse_model(std::move(from)));
    const auto m = keep_.back();
    run(*m);
}

void interpreter::fail(std::size_t offset, std::string_view message) const {
    throw syntax_error(text_->from, offset, message);
}

bool interpreter::holds(const variant_test& v) const {
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

void interpreter::execute_all(const std::vector<instruction>& body) {
    for (const instruction& i : body) execute(i);
}

void interpreter::execute(const instruction& i) {
    if (stack_is_short()) fail(i.offset, "these instructions are nested too deeply");
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

std::string interpreter::set_of_tag(std::string tag) {
    if (!tag.empty() && tag[0] >= 'a' && tag[0] <= 'z') tag[0] = static_cast<char>(tag[0] - 'a' + 'A');
    return tag;
}

void interpreter::define_tag(const std::string& tag) {
    val v;
    v.node = graph_.base(set_of_tag(tag), true);
    define(set_of_tag(tag), v);
}

void interpreter::add_check(const instruction& i) {
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

void interpreter::call_procedure(const instruction& i) {
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

void interpreter::choose_from(const instruction& i) {
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

} // namespace interpreting

graph interpret(const model_text& m, const setting& s) {
    graph g;
    interpreting::interpreter run(g, s);
    run.run_text({"stdlib.cat", *built_in("stdlib.cat")});
    for (const std::string& file : s.libraries) run.run_text(read_source(file));
    run.run(m);
    g.checks.erase(std::remove_if(g.checks.begin(), g.checks.end(),
                                  [&](const check& c) { return s.skipped_checks.count(c.name) != 0; }),
                   g.checks.end());
    return g;
}

} // namespace ringproof::litmus::cat
