// SPDX-License-Identifier: Apache-2.0
// Executes the functions of a C test. Control dependencies reach to the end of the statement that
// branches, as compilers may merge what follows it; data and address dependencies go through locals.
#include "c_thread.hpp"
#include "front_ends.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace ringproof::litmus {
namespace c {
namespace {

using op = expressions::op;
using ekind = expression::kind;
using skind = statement::kind;

bool is_register(const std::string& name) {
    return name.size() > 1 && name[0] == 'r' && name.find_first_not_of("0123456789", 1) == std::string::npos;
}

} // namespace

c_thread::c_thread(const test& t, const function& f, bool linux_kernel, std::size_t thread,
                   litmus::program& p, path_builder& b)
    : test_(t), function_(f), linux_(linux_kernel), builder_(b) {
    for (const init_entry& entry : t.init)
        if (entry.where.is_register() && entry.where.thread == static_cast<int>(thread))
            locals_[entry.where.name] = initial_register(p, entry);
    run(f.body);
    for (const auto& [name, v] : locals_) builder_.current().registers[name] = v.e;
}

void c_thread::fail(std::size_t offset, std::string_view message) const {
    throw syntax_error(test_.from, offset, message);
}

void c_thread::run(const std::vector<statement>& body) {
    for (const statement& s : body) run(s);
}

void c_thread::run(const statement& s) {
    offset_ = s.offset;
    builder_.spend(20);
    switch (s.what) {
    case skind::nothing:
        return;
    case skind::block:
        return run(s.body);
    case skind::declare: {
        const operand_value v = s.right ? eval(*s.right) : builder_.constant(0);
        if (s.right)
            locals_[s.name] = v;
        else
            locals_.try_emplace(s.name, v);
        return;
    }
    case skind::evaluate:
        eval(*s.right);
        return;
    case skind::assign: {
        if (s.left->what == ekind::name) {
            const operand_value v = eval(*s.right);
            if (is_parameter(s.left->text))
                fail(s.left->offset,
                     fmt::format("'{}' is a parameter: write *{} to store to what it points to", s.left->text,
                                 s.left->text));
            locals_[s.left->text] = v;
            return;
        }
        const operand_value address = eval(*s.left->parts[0]);
        const operand_value v = eval(*s.right);
        store(address, v, plain());
        return;
    }
    case skind::branch: {
        const load_set from = builder_.control_from(), picked = builder_.picked_control();
        const operand_value c = truth(eval(*s.right));
        const bool taken = builder_.decide(c);
        builder_.control(c);
        run(taken ? s.body : s.otherwise);
        builder_.restore_control(from, picked);
        return;
    }
    case skind::loop: {
        const load_set from = builder_.control_from(), picked = builder_.picked_control();
        for (;;) {
            const operand_value c = truth(eval(*s.right));
            const bool taken = builder_.decide(c);
            builder_.control(c);
            if (!taken) break;
            run(s.body);
            builder_.went_back(s.right->offset);
        }
        builder_.restore_control(from, picked);
        return;
    }
    }
}

bool c_thread::is_parameter(const std::string& name) const {
    return std::find(function_.parameters.begin(), function_.parameters.end(), name) !=
           function_.parameters.end();
}

operand_value c_thread::truth(const operand_value& v) {
    return builder_.apply(op::equal, builder_.apply(op::equal, v, builder_.constant(0)),
                          builder_.constant(0));
}

operand_value c_thread::negation(const operand_value& v) {
    return builder_.apply(op::equal, v, builder_.constant(0));
}

operand_value c_thread::eval(const c::expression& e) {
    switch (e.what) {
    case ekind::number:
        return builder_.constant(e.number);
    case ekind::name: {
        const auto local = locals_.find(e.text);
        if (local != locals_.end()) return local->second;
        if (is_parameter(e.text)) return builder_.address_of(e.text);
        if (e.text == "true" || e.text == "false") return builder_.constant(e.text == "true" ? 1 : 0);
        // Registers need no declaration, as in herd7, and are 0 on a path that gives them no value. One that no
        // path gives a value is a mistyped name.
        if (sets(function_.body, e.text)) return builder_.constant(0);
        if (is_register(e.text))
            fail(e.offset,
                 fmt::format("no statement of this thread gives '{}' a value: assign it first, or correct "
                             "its name",
                             e.text));
        fail(e.offset, fmt::format("'{}' is neither a parameter nor a local variable", e.text));
    }
    case ekind::dereference: {
        operand_value v;
        load(eval(*e.parts[0]), plain(), v);
        return v;
    }
    case ekind::address:
        if (e.parts[0]->what == ekind::dereference) return eval(*e.parts[0]->parts[0]);
        if (e.parts[0]->what == ekind::name && is_parameter(e.parts[0]->text)) return eval(*e.parts[0]);
        fail(e.offset, "only the address of a shared location can be taken");
    case ekind::unary: {
        const operand_value v = eval(*e.parts[0]);
        if (e.text == "!") return negation(v);
        if (e.text == "-") return builder_.apply(op::sub, builder_.constant(0), v);
        if (e.text == "~") return builder_.apply(op::bit_xor, v, builder_.constant(-1));
        return v;
    }
    case ekind::binary:
        return binary(e);
    case ekind::conditional: {
        const operand_value c = eval(*e.parts[0]);
        const bool taken = builder_.decide(truth(c));
        operand_value v = eval(*e.parts[taken ? 1 : 2]);
        v.from |= c.from;
        v.picked |= c.picked;
        return v;
    }
    case ekind::call:
        return call(e);
    }
    return {};
}

std::size_t c_thread::events() { return builder_.current().events.size(); }

operand_value c_thread::binary(const c::expression& e) {
    const std::size_t begin = events();
    const operand_value a = eval(*e.parts[0]);
    const std::size_t middle = events();
    const operand_value b = eval(*e.parts[1]);
    // C evaluates operands in any order.
    for (std::size_t right = middle; right < events(); ++right)
        for (std::size_t left = begin; left < middle; ++left)
            builder_.at(static_cast<int>(right)).unsequenced |= load_set{1} << left;
    const std::string& sign = e.text;
    if (sign == "&&") return builder_.apply(op::bit_and, truth(a), truth(b));
    if (sign == "||") return builder_.apply(op::bit_or, truth(a), truth(b));
    if (sign == "!=") return negation(builder_.apply(op::equal, a, b));
    if (sign == ">") return builder_.apply(op::less, b, a);
    if (sign == ">=") return builder_.apply(op::less_equal, b, a);
    static const std::unordered_map<std::string, op> direct{
        {"==", op::equal},  {"<", op::less},        {"<=", op::less_equal},  {"+", op::add},
        {"-", op::sub},     {"*", op::mul},         {"&", op::bit_and},      {"|", op::bit_or},
        {"^", op::bit_xor}, {"<<", op::shift_left}, {">>", op::shift_right}, {"/", op::divide},
        {"%", op::modulo}};
    return builder_.apply(direct.at(sign), a, b);
}

bool c_thread::sets(const std::vector<statement>& body, const std::string& name) {
    return std::any_of(body.begin(), body.end(), [&](const statement& s) {
        return (s.what == skind::declare && s.name == name) ||
               (s.what == skind::assign && s.left->what == ekind::name && s.left->text == name) ||
               sets(s.body, name) || sets(s.otherwise, name);
    });
}

} // namespace c

namespace {

/// C11 says so: its types and functions do not occur in kernel code.
bool is_c11(const test& t) {
    for (const char* word :
         {"memory_order", "atomic_int", "_explicit", "_Atomic", "atomic_load(", "atomic_store("})
        if (t.from.text.find(word) != std::string::npos) return true;
    return false;
}

} // namespace

litmus::program run_c(const test& t, int unroll, c_flavour& flavour, const c::macros* defined, watch* time) {
    litmus::program p;
    p.architecture = std::string("C");
    p.time = time;
    p.unroll = unroll;
    p.stride = 1; // a pointer counts elements
    flavour = is_c11(t) ? c_flavour::c11 : c_flavour::linux_kernel;
    set_initial_state(p, t);
    p.threads.resize(t.threads.size());
    for (std::size_t thread = 0; thread < t.threads.size(); ++thread) {
        const c::function f = parse_function(t, t.threads[thread].at(0), defined);
        find_paths(p, static_cast<int>(thread), [&](path_builder& b) {
            c::c_thread(t, f, flavour == c_flavour::linux_kernel, thread, p, b);
        });
    }
    return p;
}

} // namespace ringproof::litmus
