// SPDX-License-Identifier: Apache-2.0
#pragma once
// Values that are not known yet. A thread is executed before anybody knows what its loads return:
// each load returns a variable, and registers, addresses and branch conditions become expressions
// over them. Equal expressions are one node, so that "the same as before" is a comparison of ints.

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace ringproof::litmus {

/// A number, or the address of a location (and then `number` is an offset to it).
struct value {
    std::int64_t number = 0;
    std::int32_t location = -1; ///< index of a location, or -1 for a plain number

    bool is_address() const { return location >= 0; }
    friend bool operator==(const value& a, const value& b) {
        return a.number == b.number && a.location == b.location;
    }
    friend bool operator<(const value& a, const value& b) {
        return a.location != b.location ? a.location < b.location : a.number < b.number;
    }
};

/// A value that is computed from loads in too many steps to be computed again for each execution.
struct expression_too_large {};

/// Index of a node in its arena.
using expr = std::int32_t;
constexpr expr no_expr = -1;

class expressions {
  public:
    enum class op : std::uint8_t {
        constant,
        variable, ///< what a load returns
        add,
        sub,
        mul,
        bit_and,
        bit_or,
        bit_xor,
        shift_left,
        shift_right, ///< of an unsigned
        shift_right_signed,
        equal,
        less,       ///< signed
        less_equal, ///< signed
        below,      ///< unsigned
        low32,      ///< zero-extended
        sign32,     ///< sign-extended from 32 bits
        is_address, ///< 1 if it is one, else 0
        choose,     ///< a ? b : c
        divide,
        modulo
    };

    expr constant(value v) { return intern({op::constant, v, no_expr, no_expr, no_expr}); }
    expr number(std::int64_t n) { return constant({n, -1}); }
    expr fresh_variable();
    expr of_low_half(op extension, expr a);
    /// @throws expression_too_large
    expr apply(op o, expr a, expr b = no_expr, expr c = no_expr);
    /// With other expressions in the place of variables. @throws expression_too_large
    expr replace(expr e, const std::unordered_map<std::size_t, expr>& variables);
    expr logical_not(expr a) { return apply(op::equal, a, number(0)); }

    bool is_constant(expr e) const { return at(e).what == op::constant; }
    value constant_of(expr e) const { return at(e).leaf; }
    /// The locations whose addresses it is computed from, but for what is loaded.
    void collect_locations(expr e, std::set<std::int32_t>& into) const;
    std::size_t variables() const { return variables_; }
    /// Index of the variable a load returns.
    std::size_t variable_of(expr e) const { return static_cast<std::size_t>(at(e).leaf.number); }

    /// The value of `e`, if every variable that matters is known: known(index) tells the address
    /// of a variable's value, or nullptr.
    template <class Known>
    bool evaluate(expr e, const Known& known, value& result) const {
        const node& n = at(e);
        if (n.what == op::constant) {
            result = n.leaf;
            return true;
        }
        if (n.what == op::variable) {
            const value* v = known(static_cast<std::size_t>(n.leaf.number));
            if (v) result = *v;
            return v != nullptr;
        }
        value a, b;
        if (!evaluate(n.a, known, a)) return false;
        if (n.what == op::choose) return evaluate(a == value{} ? n.c : n.b, known, result);
        if (n.b != no_expr && !evaluate(n.b, known, b)) return false;
        result = compute(n.what, a, b);
        return true;
    }

  private:
    struct node {
        op what;
        value leaf;
        expr a, b, c;
        friend bool operator==(const node& x, const node& y) {
            return x.what == y.what && x.leaf == y.leaf && x.a == y.a && x.b == y.b && x.c == y.c;
        }
    };
    struct hash {
        std::size_t operator()(const node& n) const;
    };
    const node& at(expr e) const { return nodes_[static_cast<std::size_t>(e)]; }
    expr intern(const node& n);
    static value compute(op o, value a, value b);

    /// How many nodes are visited to evaluate `e`: shared ones count each time.
    std::uint32_t weight(expr e) const { return e == no_expr ? 0 : weights_[static_cast<std::size_t>(e)]; }
    static constexpr std::uint32_t heaviest = 20'000;
    /// How deep an expression may be: its evaluation calls itself as often.
    std::uint32_t depth(expr e) const { return e == no_expr ? 0 : depths_[static_cast<std::size_t>(e)]; }
    static constexpr std::uint32_t deepest = 2'000;

    std::vector<node> nodes_;
    std::vector<std::uint32_t> weights_, depths_;
    std::unordered_map<node, expr, hash> index_;
    std::size_t variables_ = 0;
};

} // namespace ringproof::litmus
