// SPDX-License-Identifier: Apache-2.0
#include "expression.hpp"

#include <algorithm>

namespace ringproof::litmus {

std::size_t expressions::hash::operator()(const node& n) const {
    std::uint64_t h = static_cast<std::uint64_t>(n.what);
    for (const std::int64_t part :
         {n.leaf.number, static_cast<std::int64_t>(n.leaf.location), static_cast<std::int64_t>(n.a),
          static_cast<std::int64_t>(n.b), static_cast<std::int64_t>(n.c)})
        h = (h ^ static_cast<std::uint64_t>(part)) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
    return h;
}

expr expressions::intern(const node& n) {
    const auto [at, fresh] = index_.try_emplace(n, static_cast<expr>(nodes_.size()));
    if (!fresh) return at->second;
    nodes_.push_back(n);
    weights_.push_back(1 + weight(n.a) + weight(n.b) + weight(n.c));
    depths_.push_back(1 + std::max({depth(n.a), depth(n.b), depth(n.c)}));
    // A comparison with a constant is what the search adds to a thread's own values: always possible.
    const bool compares = n.what == op::equal && is_constant(n.b);
    if ((weights_.back() > heaviest || depths_.back() > deepest) && !compares) throw expression_too_large{};
    return at->second;
}

void expressions::collect_locations(expr e, std::set<std::int32_t>& into) const {
    const node& n = at(e);
    if (n.what == op::constant && n.leaf.is_address()) into.insert(n.leaf.location);
    for (const expr part : {n.a, n.b, n.c})
        if (part != no_expr) collect_locations(part, into);
}

expr expressions::fresh_variable() {
    return intern({op::variable, {static_cast<std::int64_t>(variables_++), -1}, no_expr, no_expr, no_expr});
}

/// Of the lowest 32 bits, however they were extended before.
expr expressions::of_low_half(op extension, expr a) {
    if (at(a).what == extension) return a;
    const bool extended = at(a).what == op::low32 || at(a).what == op::sign32;
    return intern({extension, {}, extended ? at(a).a : a, no_expr, no_expr});
}

// Only what keeps an address an address, or makes a false dependency the constant that it is.
expr expressions::apply(op o, expr a, expr b, expr c) {
    const auto is = [&](expr e, std::int64_t n) { return is_constant(e) && constant_of(e) == value{n, -1}; };
    if (o == op::choose) {
        if (is_constant(a)) return is(a, 0) ? c : b;
        if (b == c) return b;
        return intern({o, {}, a, b, c});
    }
    if (is_constant(a) && (b == no_expr || is_constant(b)))
        return constant(compute(o, constant_of(a), b == no_expr ? value{} : constant_of(b)));
    switch (o) {
    case op::bit_xor:
    case op::sub:
        if (a == b) return number(0);
        if (is(b, 0)) return a;
        break;
    case op::bit_and:
        if (is(a, 0) || is(b, 0)) return number(0);
        if (a == b) return a;
        break;
    case op::mul:
        if (is(a, 0) || is(b, 0)) return number(0);
        break;
    case op::add:
    case op::bit_or:
        if (is(a, 0)) return b;
        [[fallthrough]];
    case op::shift_left:
    case op::shift_right:
    case op::shift_right_signed:
        if (is(b, 0)) return a;
        break;
    case op::equal:
    case op::less_equal:
        if (a == b) return number(1);
        break;
    case op::less:
    case op::below:
        if (a == b) return number(0);
        break;
    case op::low32:
    case op::sign32:
        return of_low_half(o, a);
    default:
        break;
    }
    return intern({o, {}, a, b, no_expr});
}

expr expressions::replace(expr e, const std::unordered_map<std::size_t, expr>& variables) {
    const node n = at(e); // a copy: new nodes move the old ones
    if (n.what == op::constant) return e;
    if (n.what == op::variable) {
        const auto by = variables.find(static_cast<std::size_t>(n.leaf.number));
        return by == variables.end() ? e : by->second;
    }
    const auto part = [&](expr p) { return p == no_expr ? no_expr : replace(p, variables); };
    const expr a = part(n.a), b = part(n.b), c = part(n.c);
    return a == n.a && b == n.b && c == n.c ? e : apply(n.what, a, b, c);
}

value expressions::compute(op o, value a, value b) {
    const auto u = [](std::int64_t n) { return static_cast<std::uint64_t>(n); };
    const auto plain = [](std::uint64_t n) { return value{static_cast<std::int64_t>(n), -1}; };
    const auto truth = [](bool t) { return value{t ? 1 : 0, -1}; };
    switch (o) {
    case op::add:
        return {static_cast<std::int64_t>(u(a.number) + u(b.number)),
                a.is_address() ? a.location : b.location};
    case op::sub:
        if (b.is_address()) return plain(u(a.number) - u(b.number));
        return {static_cast<std::int64_t>(u(a.number) - u(b.number)), a.location};
    case op::mul:
        return plain(u(a.number) * u(b.number));
    case op::bit_and:
        // An address and a mask of all bits, or of none; anything else is no address any more.
        if (a.is_address() && b.number == -1) return a;
        return plain(u(a.number) & u(b.number));
    case op::bit_or:
        return {static_cast<std::int64_t>(u(a.number) | u(b.number)),
                a.is_address() ? a.location : b.location};
    case op::bit_xor:
        if (a == b) return {};
        return {static_cast<std::int64_t>(u(a.number) ^ u(b.number)),
                a.is_address() ? a.location : b.location};
    case op::shift_left:
        return plain(u(a.number) << (u(b.number) & 63));
    case op::shift_right:
        return plain(u(a.number) >> (u(b.number) & 63));
    case op::shift_right_signed:
        return value{a.number >> (u(b.number) & 63), -1};
    case op::equal:
        return truth(a == b);
    case op::less:
        return truth(a.location != b.location ? a.location < b.location : a.number < b.number);
    case op::less_equal:
        return truth(a.location != b.location ? a.location < b.location : a.number <= b.number);
    case op::below:
        return truth(a.location != b.location ? a.location < b.location : u(a.number) < u(b.number));
    case op::low32:
        return a.is_address() ? a : plain(u(a.number) & 0xffffffffu);
    case op::sign32:
        return a.is_address() ? a : value{static_cast<std::int32_t>(u(a.number)), -1};
    case op::is_address:
        return truth(a.is_address());
    case op::divide:
        return b.number == 0 || b.number == -1 ? plain(0 - u(a.number)) : value{a.number / b.number, -1};
    case op::modulo:
        return b.number == 0 || b.number == -1 ? value{} : value{a.number % b.number, -1};
    case op::constant:
    case op::variable:
    case op::choose:
        break;
    }
    return {};
}

} // namespace ringproof::litmus
