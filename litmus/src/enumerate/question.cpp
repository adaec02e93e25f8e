// SPDX-License-Identifier: Apache-2.0
#include "question.hpp"

#include <algorithm>

namespace ringproof::litmus {

question::question(const test& t, const program& p)
    : shown(shown_locations(t)), final(t.final.what), filter(t.filter ? &*t.filter : nullptr), program_(p) {
    for (const location& l : shown) {
        register_names.push_back(p.canonical_register ? p.canonical_register(l.name) : l.name);
        location_index.push_back(l.is_register() ? -1 : p.find(l.name));
    }
}

bool question::holds(const proposition& what, const std::vector<value>& values) const {
    using kind = proposition::kind;
    const auto part = [&](const proposition& q) { return holds(q, values); };
    switch (what.what) {
    case kind::constant:
        return what.truth;
    case kind::equal:
    case kind::unequal: {
        value right{what.number, -1};
        if (what.other) right = values[index_of(*what.other)];
        if (!what.symbol.empty()) {
            const std::int32_t named = program_.find(what.symbol);
            right = named < 0 ? value{0, static_cast<std::int32_t>(program_.locations.size())}
                              : program_.address(named);
        }
        return same(what.left, values[index_of(what.left)], right) == (what.what == kind::equal);
    }
    case kind::negation:
        return !part(what.parts[0]);
    case kind::conjunction:
        return std::all_of(what.parts.begin(), what.parts.end(), part);
    case kind::disjunction:
        return std::any_of(what.parts.begin(), what.parts.end(), part);
    case kind::implication:
        return !part(what.parts[0]) || part(what.parts[1]);
    }
    return false;
}

/// Of a register or location of 32 bits, which is any that has no other type, -1 and 0xffffffff are the same.
bool question::same(const location& l, const value& a, const value& b) const {
    if (a == b) return true;
    if (a.is_address() || b.is_address()) return false;
    const int bits = 8 * program_.bytes_shown(l);
    if (bits >= 64) return false;
    const std::int64_t top = std::int64_t{1} << (bits - 1);
    const auto fits = [&](std::int64_t n) { return -top <= n && n < 2 * top; };
    return fits(a.number) && fits(b.number) && ((a.number ^ b.number) & (2 * top - 1)) == 0;
}

std::size_t question::index_of(const location& l) const {
    return static_cast<std::size_t>(std::lower_bound(shown.begin(), shown.end(), l) -
                                    shown.begin()); // sorted
}

question::outlook question::outlook_of(const proposition& what, const std::vector<value>& values,
                                       const std::vector<bool>& known) const {
    using kind = proposition::kind;
    const auto part = [&](std::size_t k) { return outlook_of(what.parts[k], values, known); };
    const auto negated = [](const outlook& o) { return outlook{o.can_fail, o.can_hold}; };
    switch (what.what) {
    case kind::constant:
        return {what.truth, !what.truth};
    case kind::equal:
    case kind::unequal: {
        if (!known[index_of(what.left)] || (what.other && !known[index_of(*what.other)])) return {true, true};
        const bool now = holds(what, values);
        return {now, !now};
    }
    case kind::negation:
        return negated(part(0));
    case kind::conjunction:
    case kind::disjunction: {
        const bool all = what.what == kind::conjunction;
        outlook o{all, !all};
        for (std::size_t k = 0; k < what.parts.size(); ++k) {
            const outlook one = part(k);
            o.can_hold = all ? o.can_hold && one.can_hold : o.can_hold || one.can_hold;
            o.can_fail = all ? o.can_fail || one.can_fail : o.can_fail && one.can_fail;
        }
        return o;
    }
    case kind::implication: {
        const outlook a = part(0), b = part(1);
        return {a.can_fail || b.can_hold, a.can_hold && b.can_fail};
    }
    }
    return {};
}

} // namespace ringproof::litmus
