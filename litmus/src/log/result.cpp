// SPDX-License-Identifier: Apache-2.0
#include "result.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace ringproof::litmus {

std::string_view test_result::verdict() const {
    if (!forbidden.empty()) return "refuted";
    return model.empty() ? "observed" : "consistent";
}

test_result make_result(const test& t, const std::map<std::vector<std::int64_t>, std::uint64_t>& states) {
    test_result r;
    r.file = t.from.file;
    r.name = t.name;
    r.dialect = t.dialect;
    r.how = t.final.how;
    r.condition_text = to_string(t.final);
    r.shown = shown_locations(t);
    r.threads = t.threads.size();
    r.seen = states.size();
    for (const auto& [values, count] : states) { // a map: already in order
        const auto value_of = [&, &row = values](const location& l) {
            const auto at = std::find(r.shown.begin(), r.shown.end(), l);
            return row[static_cast<std::size_t>(at - r.shown.begin())];
        };
        if (t.filter && !litmus::holds(*t.filter, value_of)) continue;
        const bool witness = litmus::holds(t.final.what, value_of);
        (witness ? r.positive : r.negative) += count;
        r.states.push_back({values, count, witness});
    }
    return r;
}

std::string state_text(const std::vector<location>& shown, const std::vector<std::int64_t>& values) {
    std::string text;
    for (std::size_t i = 0; i < shown.size(); ++i)
        text += fmt::format("{}{}={};", i ? " " : "", shown[i].printed(), values[i]);
    return text;
}

} // namespace ringproof::litmus
