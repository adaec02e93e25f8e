// SPDX-License-Identifier: Apache-2.0
// Executes the functions of a C test. Control dependencies reach to the end of the statement that
// branches, as compilers may merge what follows it; data and address dependencies go through locals.
#include "../parse/text.hpp"
#include "c_calls.hpp"
#include "c_syntax.hpp"
#include "front_ends.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace ringproof::litmus {
namespace {

using namespace c;
using op = expressions::op;
using ekind = c::expression::kind;
using skind = c::statement::kind;

tag_set labelled(const std::string& label, bool atomic_c11, bool rmw = false) {
    tag_set set;
    if (!label.empty()) set.set(tag_index(label));
    // The kernel's model has spelt its tags in both ways.
    if (atomic_c11) { // and a .bell file names C11's orders in small letters
        if (!label.empty()) set.set(tag_index(label.substr(0, 1) + lower(label.substr(1))));
    }
    if (label == "Once" || label == "Acquire" || label == "Release" || label == "Noreturn" || label == "Mb") {
        set.set(tag_index(upper(label)));
    }
    if (atomic_c11) set.set(tag_index("A"));
    if (rmw) set.set(tag_index("RMW"));
    return set;
}

class c_thread {
  public:
    c_thread(const test& t, const function& f, bool linux_kernel, std::size_t thread, litmus::program& p,
             path_builder& b)
        : test_(t), linux_(linux_kernel), builder_(b) {
        for (const std::string& name : f.parameters) parameters_.push_back(name);
        for (const init_entry& entry : t.init)
            if (entry.where.is_register() && entry.where.thread == static_cast<int>(thread))
                locals_[entry.where.name] = initial_register(p, entry);
        run(f.body);
        for (const auto& [name, v] : locals_) builder_.current().registers[name] = v.e;
    }

  private:
    [[noreturn]] void fail(std::size_t offset, std::string_view message) const {
        throw syntax_error(test_.from, offset, message);
    }

    void run(const std::vector<statement>& body) {
        for (const statement& s : body) run(s);
    }

    void run(const statement& s) {
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
                         fmt::format("'{}' is a parameter: write *{} to store to what it points to",
                                     s.left->text, s.left->text));
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
                builder_.went_back();
            }
            builder_.restore_control(from, picked);
            return;
        }
        }
    }

    bool is_parameter(const std::string& name) const {
        return std::find(parameters_.begin(), parameters_.end(), name) != parameters_.end();
    }

    // Each access is an instruction of its own; the second half of a read-modify-write is not.
    int load(const operand_value& address, const tag_set& labels, operand_value& v) {
        builder_.instruction(offset_);
        return builder_.read(address, labels, v);
    }
    int store(const operand_value& address, const operand_value& v, const tag_set& labels) {
        builder_.instruction(offset_);
        return builder_.write(address, v, labels);
    }
    void barrier(const tag_set& labels) {
        builder_.instruction(offset_);
        builder_.other(labels);
    }
    void update(const operand_value& address, const tag_set& labels, operand_value& old,
                const std::function<operand_value(const operand_value&)>& make) {
        builder_.instruction(offset_);
        builder_.update(address, labels, old, make);
    }

    tag_set plain() const { return labelled(linux_ ? "" : "NA", false); }

    operand_value truth(const operand_value& v) {
        return builder_.apply(op::equal, builder_.apply(op::equal, v, builder_.constant(0)),
                              builder_.constant(0));
    }
    operand_value negation(const operand_value& v) {
        return builder_.apply(op::equal, v, builder_.constant(0));
    }

    operand_value eval(const c::expression& e) {
        switch (e.what) {
        case ekind::number:
            return builder_.constant(e.number);
        case ekind::name: {
            const auto local = locals_.find(e.text);
            if (local != locals_.end()) return local->second;
            if (is_parameter(e.text)) return builder_.address_of(e.text);
            if (e.text == "true" || e.text == "false") return builder_.constant(e.text == "true" ? 1 : 0);
            // Registers need no declaration, as in herd7.
            const bool is_register = e.text.size() > 1 && e.text[0] == 'r' &&
                                     e.text.find_first_not_of("0123456789", 1) == std::string::npos;
            if (is_register) return builder_.constant(0);
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

    std::size_t events() { return builder_.current().events.size(); }

    operand_value binary(const c::expression& e) {
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

    // ---- calls

    operand_value object(const c::expression& e, bool is_lvalue) {
        if (!is_lvalue) return eval(e);
        if (e.what == ekind::dereference) return eval(*e.parts[0]);
        fail(e.offset, "expected an object, such as *x");
    }

    operand_value compute(arithmetic how, const operand_value& a, const operand_value& b) {
        switch (how) {
        case arithmetic::add:
            return builder_.apply(op::add, a, b);
        case arithmetic::subtract:
            return builder_.apply(op::sub, a, b);
        case arithmetic::bit_and:
            return builder_.apply(op::bit_and, a, b);
        case arithmetic::bit_or:
            return builder_.apply(op::bit_or, a, b);
        case arithmetic::bit_xor:
            return builder_.apply(op::bit_xor, a, b);
        case arithmetic::none:
            break;
        }
        return b;
    }

    std::string order_argument(const c::expression& e) {
        const std::string label = e.what == ekind::name ? order_label(e.text) : std::string();
        if (label.empty()) fail(e.offset, "expected a memory order such as memory_order_acquire");
        return label;
    }

    operand_value call(const c::expression& e) {
        if (e.text.starts_with("__")) return primitive(e);
        const call_meaning* known = find_call(e.text, linux_);
        if (!known) fail(e.offset, fmt::format("function '{}' is not supported", e.text));
        std::vector<const c::expression*> arguments;
        for (const expression_ptr& p : e.parts) arguments.push_back(p.get());
        return carry_out(e, *known, arguments);
    }

    /// What a macro file makes of a call. The operator that some have as second argument is part of the meaning.
    operand_value primitive(const c::expression& e) {
        std::vector<const c::expression*> arguments;
        for (const expression_ptr& p : e.parts) arguments.push_back(p.get());
        std::string sign;
        if (e.text == "__atomic_op" || e.text == "__atomic_fetch_op" || e.text == "__atomic_op_return") {
            if (arguments.size() != 3)
                fail(e.offset, fmt::format("'{}' takes (object, operator, value)", e.text));
            sign = arguments[1]->text;
            arguments.erase(arguments.begin() + 1);
        }
        call_meaning m;
        if (!find_primitive(e.text, e.tag, sign, m))
            fail(e.offset, fmt::format("function '{}' is not supported", e.text));
        return carry_out(e, m, arguments);
    }

    operand_value carry_out(const c::expression& e, call_meaning m,
                            const std::vector<const c::expression*>& parts) {
        std::size_t arguments = parts.size();
        const auto need = [&](std::size_t n) {
            if (arguments != n)
                fail(e.offset,
                     fmt::format("'{}' takes {} arguments", e.text, n + (parts.size() - arguments)));
        };
        if (m.takes_orders) {
            const std::size_t orders = m.what == action::compare_exchange ? 2 : 1;
            if (parts.size() < orders) fail(e.offset, fmt::format("'{}' needs a memory order", e.text));
            arguments -= orders;
            m.read_label = m.write_label = order_argument(*parts[arguments]);
            m.failure_label = order_argument(*parts[parts.size() - 1]);
        }
        offset_ = e.offset;
        const auto first = [&] { return object(*parts[0], m.object_is_lvalue); };
        const tag_set read = labelled(m.read_label, !linux_), write = labelled(m.write_label, !linux_);
        operand_value v;
        switch (m.what) {
        case action::load:
            need(1);
            load(first(), read, v);
            return v;
        case action::store:
        case action::store_then_fence: {
            need(2);
            const operand_value to = first();
            store(to, eval(*parts[1]), write);
            if (m.what == action::store_then_fence) builder_.other(labelled("Mb", false) | tags({"F"}));
            return builder_.constant(0);
        }
        case action::fence:
            need(0);
            barrier(read | tags({"F"}));
            return builder_.constant(0);
        case action::
            fence_at: { // an older macro file has it for SRCU's lock and unlock too, the latter with its cookie
            if (arguments != 2) need(1);
            const operand_value where = first();
            builder_.instruction(offset_);
            event& fence = builder_.at(builder_.other(read | tags({"F"})));
            fence.address = where.e;
            fence.address_from = where.from;
            return builder_.constant(0);
        }
        case action::exchange: {
            need(2);
            const operand_value to = first(), stored = eval(*parts[1]);
            return modify(to, m, [&](const operand_value&) { return stored; });
        }
        case action::fetch:
        case action::update_and_return:
        case action::update_and_test:
        case action::add_negative: {
            need(m.unit ? 1 : 2);
            const operand_value by = m.unit ? builder_.constant(1) : eval(*parts[m.value_first ? 0 : 1]);
            const operand_value to = object(*parts[m.unit || !m.value_first ? 0 : 1], false);
            const operand_value old =
                modify(to, m, [&](const operand_value& was) { return compute(m.how, was, by); });
            if (m.what == action::fetch) return old;
            const operand_value now = compute(m.how, old, by);
            if (m.what == action::update_and_test) return negation(now);
            if (m.what == action::add_negative) return builder_.apply(op::less, now, builder_.constant(0));
            return now;
        }
        case action::compare_exchange:
            need(3);
            return compare_exchange(parts, m);
        case action::compare_and_swap: {
            need(3);
            const operand_value to = first(), expected = eval(*parts[1]), desired = eval(*parts[2]);
            const int r = load(to, labelled(m.read_label, false, true), v);
            if (builder_.decide(builder_.apply(op::equal, v, expected))) {
                const int w = builder_.write(to, desired, labelled(m.write_label, false, true));
                builder_.rmw(r, w, false);
            }
            return v;
        }
        case action::add_unless: {
            need(3);
            const operand_value to = first(), by = eval(*parts[1]), unless = eval(*parts[2]);
            const int r = load(to, labelled(m.read_label, false, true), v);
            const operand_value equal = builder_.apply(op::equal, v, unless);
            if (!builder_.decide(equal)) {
                const int w = builder_.write(to, compute(m.how, v, by), labelled(m.write_label, false, true));
                builder_.rmw(r, w, false);
            }
            return negation(equal);
        }
        case action::lock:
            need(1);
            take_lock(first());
            return builder_.constant(0);
        case action::unlock:
            need(1);
            store(first(), builder_.constant(0), labelled("UL", false));
            return builder_.constant(0);
        case action::is_locked:
        case action::try_lock: {
            need(1);
            const operand_value to = first();
            const bool locked = builder_.either();
            if (m.what == action::try_lock && locked) {
                take_lock(to);
                return builder_.constant(1);
            }
            const bool sees_locked = m.what == action::try_lock || locked;
            load(to, labelled(m.what == action::try_lock ? "LF" : sees_locked ? "RL" : "RU", false), v);
            const operand_value want = builder_.apply(op::equal, v, builder_.constant(sees_locked ? 1 : 0));
            if (!builder_.assume(want)) throw path_ends{};
            operand_value result = builder_.constant(m.what == action::is_locked && locked ? 1 : 0);
            result.from = v.from;
            result.picked = v.picked;
            return result;
        }
        case action::nothing:
            break;
        }
        return builder_.constant(0);
    }

    /// C11's read-modify-writes are one event, the kernel's are two.
    operand_value modify(const operand_value& to, const call_meaning& m,
                         const std::function<operand_value(const operand_value&)>& make) {
        operand_value old;
        if (!linux_) {
            update(to, labelled(m.read_label, true), old, make);
            return old;
        }
        const int r = load(to, labelled(m.read_label, false, true), old);
        const int w = builder_.write(to, make(old), labelled(m.write_label, false, true));
        builder_.rmw(r, w, false);
        return old;
    }

    void take_lock(const operand_value& to) {
        operand_value v;
        const int r = load(to, labelled("LKR", false), v);
        if (!builder_.assume(builder_.apply(op::equal, v, builder_.constant(0)))) throw path_ends{};
        const int w = builder_.write(to, builder_.constant(1), labelled("LKW", false));
        builder_.rmw(r, w, false);
    }

    operand_value compare_exchange(const std::vector<const c::expression*>& parts, const call_meaning& m) {
        // The expected value is in memory of its own, or in a local of which the address is given.
        const c::expression& place = *parts[1];
        const bool local = place.what == ekind::address && place.parts[0]->what == ekind::name &&
                           locals_.count(place.parts[0]->text) != 0;
        operand_value where, expected;
        if (!local) where = eval(place);
        const operand_value to = eval(*parts[0]);
        if (local)
            expected = locals_.at(place.parts[0]->text);
        else
            load(where, plain(), expected);
        if (!builder_.either()) {
            operand_value v;
            load(to, labelled(m.failure_label, true), v);
            if (!m.weak && !builder_.assume(negation(builder_.apply(op::equal, v, expected))))
                throw path_ends{};
            if (local)
                locals_[place.parts[0]->text] = v;
            else
                store(where, v, plain());
            return builder_.constant(0);
        }
        const operand_value desired = eval(*parts[2]);
        operand_value v;
        update(to, labelled(m.read_label, true), v, [&](const operand_value&) { return desired; });
        if (!builder_.assume(builder_.apply(op::equal, v, expected))) throw path_ends{};
        return builder_.constant(1);
    }

    const test& test_;
    bool linux_;
    std::size_t offset_ = 0; ///< of what is being executed
    path_builder& builder_;
    std::vector<std::string> parameters_;
    std::map<std::string, operand_value> locals_;
};

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
        const function f = parse_function(t, t.threads[thread].at(0), defined);
        find_paths(p, static_cast<int>(thread), [&](path_builder& b) {
            c_thread(t, f, flavour == c_flavour::linux_kernel, thread, p, b);
        });
    }
    return p;
}

} // namespace ringproof::litmus
