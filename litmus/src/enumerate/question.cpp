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
        const auto at = std::find(shown.begin(), shown.end(), what.left);
        value right{what.number, -1};
        if (!what.symbol.empty()) {
            const auto named = std::find(program_.locations.begin(), program_.locations.end(), what.symbol);
            right = {0, named == program_.locations.end()
                            ? static_cast<std::int32_t>(program_.locations.size())
                            : static_cast<std::int32_t>(named - program_.locations.begin())};
        }
        return (values[static_cast<std::size_t>(at - shown.begin())] == right) == (what.what == kind::equal);
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

} // namespace ringproof::litmus
