// SPDX-License-Identifier: Apache-2.0
#include "../frontend/c_calls.hpp"
#include "../frontend/c_syntax.hpp"
#include "translate.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace ringproof::litmus::witness {
namespace {

using namespace c;
using ekind = c::expression::kind;
using skind = c::statement::kind;
using kind = step::kind;
using sign = step::sign;

int order_of(const std::string& label) {
    static const std::map<std::string, int> orders{{"RLX", __ATOMIC_RELAXED},     {"CON", __ATOMIC_CONSUME},
                                                   {"ACQ", __ATOMIC_ACQUIRE},     {"REL", __ATOMIC_RELEASE},
                                                   {"ACQ_REL", __ATOMIC_ACQ_REL}, {"SC", __ATOMIC_SEQ_CST}};
    const auto at = orders.find(label);
    if (at == orders.end()) throw untranslatable(fmt::format("memory order '{}'", label));
    if (at->second == __ATOMIC_CONSUME) throw untranslatable("consume, which compilers take for acquire");
    return at->second;
}

class compiler {
  public:
    compiler(const test& t, std::size_t thread, const program& p, std::vector<std::string>& locals,
             std::array<std::int64_t, most_registers>& registers)
        : program_(p), locals_(locals), f_(parse_function(t, t.threads[thread].at(0))) {
        refuse_arrays(t);
        for (const init_entry& entry : t.init) {
            if (!entry.where.is_register() || entry.where.thread != static_cast<int>(thread)) continue;
            if (!entry.symbol.empty()) throw untranslatable("a register holds an address");
            registers[local(entry.where.name)] = entry.number;
        }
        for (const statement& s : f_.body) run(s);
    }

    code take() { return std::move(code_); }

  private:
    std::uint8_t fresh(const std::string& name = "") {
        if (locals_.size() == most_registers) throw untranslatable("too many values in one thread");
        locals_.push_back(name);
        return static_cast<std::uint8_t>(locals_.size() - 1);
    }
    std::uint8_t local(const std::string& name) {
        const auto at = std::find(locals_.begin(), locals_.end(), name);
        return at == locals_.end() ? fresh(name) : static_cast<std::uint8_t>(at - locals_.begin());
    }
    bool is_local(const std::string& name) const {
        return std::find(locals_.begin(), locals_.end(), name) != locals_.end();
    }
    bool is_parameter(const std::string& name) const {
        return std::find(f_.parameters.begin(), f_.parameters.end(), name) != f_.parameters.end();
    }
    step& add(kind what) {
        code_.emplace_back().what = what;
        return code_.back();
    }

    /// The location that an expression of pointer type names.
    std::uint8_t location(const c::expression& e) {
        if (e.what == ekind::name && is_parameter(e.text)) {
            const auto at = std::find(program_.locations.begin(), program_.locations.end(), e.text);
            if (at != program_.locations.end())
                return static_cast<std::uint8_t>(at - program_.locations.begin());
        }
        if (e.what == ekind::address && e.parts[0]->what == ekind::dereference)
            return location(*e.parts[0]->parts[0]);
        if (e.what == ekind::address) return location(*e.parts[0]);
        throw untranslatable("an address that is computed");
    }

    void run(const statement& s) {
        switch (s.what) {
        case skind::nothing:
            return;
        case skind::block:
            for (const statement& one : s.body) run(one);
            return;
        case skind::declare: {
            const std::uint8_t to = local(s.name);
            if (s.right) copy(to, eval(*s.right));
            return;
        }
        case skind::evaluate:
            eval(*s.right);
            return;
        case skind::assign:
            if (s.left->what == ekind::name) {
                const std::uint8_t v = eval(*s.right);
                copy(local(s.left->text), v);
            } else {
                const std::uint8_t at = location(*s.left->parts[0]), v = eval(*s.right);
                step& w = add(kind::plain_store);
                w.location = at;
                w.a = v;
            }
            return;
        case skind::branch: {
            const std::uint8_t c = eval(*s.right);
            const std::size_t skip = code_.size();
            add(kind::jump_if_zero).a = c;
            for (const statement& one : s.body) run(one);
            const std::size_t over = code_.size();
            if (!s.otherwise.empty()) add(kind::jump);
            code_[skip].number = static_cast<std::int64_t>(code_.size());
            for (const statement& one : s.otherwise) run(one);
            if (!s.otherwise.empty()) code_[over].number = static_cast<std::int64_t>(code_.size());
            return;
        }
        case skind::loop:
            throw untranslatable("a loop");
        }
    }

    void copy(std::uint8_t to, std::uint8_t from) {
        step& s = add(kind::copy);
        s.target = to;
        s.a = from;
    }

    std::uint8_t number(std::int64_t n) {
        const std::uint8_t r = fresh();
        step& s = add(kind::number);
        s.target = r;
        s.number = n;
        return r;
    }

    std::uint8_t compute(sign how, std::uint8_t a, std::uint8_t b) {
        const std::uint8_t r = fresh();
        step& s = add(kind::compute);
        s.how = how;
        s.target = r;
        s.a = a;
        s.b = b;
        return r;
    }

    std::uint8_t negation(std::uint8_t a) { return compute(sign::equal, a, number(0)); }

    std::uint8_t access(kind what, std::uint8_t at, std::uint8_t a, int order) {
        const std::uint8_t r = fresh();
        step& s = add(what);
        s.target = r;
        s.location = at;
        s.a = a;
        s.order = order;
        return r;
    }

    std::uint8_t eval(const c::expression& e) {
        switch (e.what) {
        case ekind::number:
            return number(e.number);
        case ekind::name:
            if (is_local(e.text)) return local(e.text);
            throw untranslatable("an address as a value");
        case ekind::dereference:
            return access(kind::plain_load, location(*e.parts[0]), 0, 0);
        case ekind::address:
            throw untranslatable("an address as a value");
        case ekind::unary: {
            const std::uint8_t v = eval(*e.parts[0]);
            if (e.text == "!") return negation(v);
            if (e.text == "-") return compute(sign::subtract, number(0), v);
            return e.text == "~" ? compute(sign::bit_xor, v, number(-1)) : v;
        }
        case ekind::binary:
            return binary(e);
        case ekind::conditional:
            throw untranslatable("'?:'");
        case ekind::call:
            return call(e);
        }
        throw untranslatable("an expression");
    }

    std::uint8_t binary(const c::expression& e) {
        const std::size_t begin = code_.size();
        const std::uint8_t a = eval(*e.parts[0]);
        const std::size_t middle = code_.size();
        const std::uint8_t b = eval(*e.parts[1]);
        if (accesses(begin, middle) && accesses(middle, code_.size()))
            throw untranslatable("two accesses that C leaves unsequenced");
        const std::string& s = e.text;
        if (s == "&&") return compute(sign::bit_and, negation(negation(a)), negation(negation(b)));
        if (s == "||") return compute(sign::bit_or, negation(negation(a)), negation(negation(b)));
        if (s == "!=") return negation(compute(sign::equal, a, b));
        if (s == ">") return compute(sign::less, b, a);
        if (s == ">=") return compute(sign::less_equal, b, a);
        static const std::map<std::string, sign> direct{
            {"==", sign::equal},   {"<", sign::less},        {"<=", sign::less_equal}, {"+", sign::add},
            {"-", sign::subtract}, {"*", sign::multiply},    {"&", sign::bit_and},     {"|", sign::bit_or},
            {"^", sign::bit_xor},  {"<<", sign::shift_left}, {">>", sign::shift_right}};
        const auto how = direct.find(s);
        if (how == direct.end()) throw untranslatable(fmt::format("the operator '{}'", s));
        return compute(how->second, a, b);
    }

    bool accesses(std::size_t from, std::size_t to) const {
        return std::any_of(code_.begin() + static_cast<std::ptrdiff_t>(from),
                           code_.begin() + static_cast<std::ptrdiff_t>(to),
                           [](const step& s) { return s.what >= kind::load && s.what <= kind::fence; });
    }

    static sign sign_of(arithmetic how) {
        switch (how) {
        case arithmetic::subtract:
            return sign::subtract;
        case arithmetic::bit_and:
            return sign::bit_and;
        case arithmetic::bit_or:
            return sign::bit_or;
        case arithmetic::bit_xor:
            return sign::bit_xor;
        default:
            return sign::add;
        }
    }

    std::uint8_t call(const c::expression& e) {
        const call_meaning* known = find_call(e.text, false);
        if (!known) throw untranslatable(fmt::format("'{}'", e.text));
        call_meaning m = *known;
        if (m.takes_orders) {
            const std::size_t orders = m.what == action::compare_exchange ? 2 : 1;
            m.read_label = m.write_label = order_label(e.parts[e.parts.size() - orders]->text);
            m.failure_label = order_label(e.parts[e.parts.size() - 1]->text);
        }
        const auto object = [&](std::size_t k) {
            const c::expression& o = *e.parts[k];
            return location(m.object_is_lvalue && o.what == ekind::dereference ? *o.parts[0] : o);
        };
        switch (m.what) {
        case action::load:
            return access(kind::load, object(0), 0, order_of(m.read_label));
        case action::store: {
            const std::uint8_t at = object(0), v = eval(*e.parts[1]);
            return access(kind::store, at, v, order_of(m.write_label));
        }
        case action::exchange: {
            const std::uint8_t at = object(0), v = eval(*e.parts[1]);
            return access(kind::exchange, at, v, order_of(m.read_label));
        }
        case action::fetch: {
            const std::uint8_t v = m.unit ? number(1) : eval(*e.parts[1]);
            const std::uint8_t r = access(kind::fetch, object(0), v, order_of(m.read_label));
            code_.back().how = sign_of(m.how);
            return r;
        }
        case action::fence:
            return access(kind::fence, 0, 0, order_of(m.read_label));
        case action::compare_exchange:
            return compare_exchange(e, m);
        default:
            throw untranslatable(fmt::format("'{}'", e.text));
        }
    }

    std::uint8_t compare_exchange(const c::expression& e, const call_meaning& m) {
        if (m.weak) throw untranslatable("a compare-exchange that may fail for no reason");
        const c::expression& place = *e.parts[1];
        const bool is_in_register = place.what == ekind::address && place.parts[0]->what == ekind::name &&
                                    is_local(place.parts[0]->text);
        const std::uint8_t expected =
            is_in_register ? local(place.parts[0]->text) : access(kind::plain_load, location(place), 0, 0);
        const std::uint8_t desired = eval(*e.parts[2]);
        const std::uint8_t done =
            access(kind::compare_exchange, location(*e.parts[0]), desired, order_of(m.read_label));
        code_.back().b = expected;
        code_.back().failure = order_of(m.failure_label.empty() ? m.read_label : m.failure_label);
        if (is_in_register) return done;
        const std::uint8_t failed = negation(done);
        add(kind::jump_if_zero).a = failed;
        step& s = add(kind::plain_store);
        s.location = location(place);
        s.a = expected;
        code_[code_.size() - 2].number = static_cast<std::int64_t>(code_.size());
        return done;
    }

    const program& program_;
    std::vector<std::string>& locals_;
    c::function f_;
    code code_;
};

} // namespace

code translate_c(const test& t, std::size_t thread, const program& p, std::vector<std::string>& locals,
                 std::array<std::int64_t, most_registers>& registers) {
    return compiler(t, thread, p, locals, registers).take();
}

} // namespace ringproof::litmus::witness
