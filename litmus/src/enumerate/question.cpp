// SPDX-License-Identifier: Apache-2.0
#include "question.hpp"

#include <algorithm>

namespace ringproof::litmus {

question::question(const test& t, const program& p)
    : shown(shown_locations(t)), final(t.final.what), filter(t.filter ? &*t.filter : nullptr), program_(p) {
    for (const location& l : shown) {
        const auto at = std::find(p.locations.begin(), p.locations.end(), l.name);
        register_names.push_back(p.canonical_register ? p.canonical_register(l.name) : l.name);
        location_index.push_back(l.is_register() || at == p.locations.end()
                                     ? -1
                                     : static_cast<std::int32_t>(at - p.locations.begin()));
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
        if (!what.symbol.empty()) {
            const auto named = std::find(program_.locations.begin(), program_.locations.end(), what.symbol);
            right = {0, named == program_.locations.end()
                            ? static_cast<std::int32_t>(program_.locations.size())
                            : static_cast<std::int32_t>(named - program_.locations.begin())};
        }
        return (values[index_of(what.left)] == right) == (what.what == kind::equal);
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
        if (!known[index_of(what.left)]) return {true, true};
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
