// SPDX-License-Identifier: Apache-2.0
// --show-executions: what complete executions look like.

#include "shown.hpp"

#include <fmt/format.h>
#include <map>

namespace ringproof::verify {

shown_execution show(const std::vector<recorded_event>& history, memory_model model, const symbols& names) {
    exploration_result one;
    one.history = history;
    shown_execution shown{explain(one, model, names), {}};
    // The value of a location that is left is that of its last write in coherence order; of what is never
    // written, any read has it. Locks and the like have states rather than values.
    struct last {
        std::uint32_t co = 0;
        std::string value;
    };
    std::map<std::string, last> values;
    using what = recorded_event::what;
    for (const shown_event& e : shown.execution.events) {
        if (e.location.empty() || e.value.empty()) continue;
        const auto arrow = e.value.find(" -> ");
        if (e.kind == what::read && e.from_initial) values.try_emplace(e.location, last{0, e.value});
        if (e.kind == what::rmw && e.from_initial)
            values.try_emplace(e.location, last{0, e.value.substr(0, arrow)});
        if (e.kind != what::write && e.kind != what::rmw) continue;
        last& l = values[e.location];
        if (e.co >= l.co) l = {e.co, arrow == std::string::npos ? e.value : e.value.substr(arrow + 4)};
    }
    for (const auto& [location, l] : values) shown.final_state.emplace_back(location, l.value);
    return shown;
}

std::string final_text(const shown_execution& shown) {
    std::string text;
    for (const auto& [location, value] : shown.final_state)
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", location, value);
    return text.empty() ? "nothing" : text;
}

} // namespace ringproof::verify
