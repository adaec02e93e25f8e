// SPDX-License-Identifier: Apache-2.0
// What the calls of a C test do to memory: loads, stores, fences, read-modify-writes, locks.
#include "../parse/text.hpp"
#include "c_thread.hpp"

#include <fmt/format.h>

namespace ringproof::litmus::c {
namespace {

using op = expressions::op;
using ekind = expression::kind;

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

} // namespace

// Each access is an instruction of its own; the second half of a read-modify-write is not.
int c_thread::load(const operand_value& address, const tag_set& labels, operand_value& v) {
    builder_.instruction(offset_);
    return builder_.read(address, labels, v);
}

int c_thread::store(const operand_value& address, const operand_value& v, const tag_set& labels) {
    builder_.instruction(offset_);
    return builder_.write(address, v, labels);
}

void c_thread::barrier(const tag_set& labels) {
    builder_.instruction(offset_);
    builder_.other(labels);
}

void c_thread::update(const operand_value& address, const tag_set& labels, operand_value& old,
                      const std::function<operand_value(const operand_value&)>& make) {
    builder_.instruction(offset_);
    builder_.update(address, labels, old, make);
}

tag_set c_thread::plain() const { return labelled(linux_ ? "" : "NA", false); }

operand_value c_thread::object(const c::expression& e, bool is_lvalue) {
    if (!is_lvalue) return eval(e);
    if (e.what == ekind::dereference) return eval(*e.parts[0]);
    fail(e.offset, "expected an object, such as *x");
}

operand_value c_thread::compute(arithmetic how, const operand_value& a, const operand_value& b) {
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

std::string c_thread::order_argument(const c::expression& e) {
    const std::string label = e.what == ekind::name ? order_label(e.text) : std::string();
    if (label.empty()) fail(e.offset, "expected a memory order such as memory_order_acquire");
    return label;
}

operand_value c_thread::call(const c::expression& e) {
    if (e.text.starts_with("__")) return primitive(e);
    const call_meaning* known = find_call(e.text, linux_);
    if (!known) fail(e.offset, fmt::format("function '{}' is not supported", e.text));
    std::vector<const c::expression*> arguments;
    for (const expression_ptr& p : e.parts) arguments.push_back(p.get());
    return carry_out(e, *known, arguments);
}

/// What a macro file makes of a call. The operator that some have as second argument is part of the meaning.
operand_value c_thread::primitive(const c::expression& e) {
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

operand_value c_thread::carry_out(const c::expression& e, call_meaning m,
                                  const std::vector<const c::expression*>& parts) {
    std::size_t arguments = parts.size();
    const auto need = [&](std::size_t n) {
        if (arguments != n)
            fail(e.offset, fmt::format("'{}' takes {} arguments", e.text, n + (parts.size() - arguments)));
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
operand_value c_thread::modify(const operand_value& to, const call_meaning& m,
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

void c_thread::take_lock(const operand_value& to) {
    operand_value v;
    const int r = load(to, labelled("LKR", false), v);
    if (!builder_.assume(builder_.apply(op::equal, v, builder_.constant(0)))) throw path_ends{};
    const int w = builder_.write(to, builder_.constant(1), labelled("LKW", false));
    builder_.rmw(r, w, false);
}

operand_value c_thread::compare_exchange(const std::vector<const c::expression*>& parts,
                                         const call_meaning& m) {
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
        if (!m.weak && !builder_.assume(negation(builder_.apply(op::equal, v, expected)))) throw path_ends{};
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

} // namespace ringproof::litmus::c
