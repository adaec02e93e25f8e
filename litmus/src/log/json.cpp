// SPDX-License-Identifier: Apache-2.0
#include "result.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ringproof::litmus {

nlohmann::ordered_json to_json(const test_result& r) {
    using json = nlohmann::ordered_json;
    json states = json::array();
    for (const state_count& s : r.states)
        states.push_back(
            {{"state", state_text(r.shown, s.values)}, {"count", s.count}, {"witness", s.witness}});
    json j = {{"name", r.name},
              {"file", r.file},
              {"dialect", r.dialect},
              {"engine", r.engine},
              {"condition", r.condition_text},
              {"observation", observation(r.positive, r.negative)},
              {"validated", validated(r.how, r.positive, r.negative)},
              {"states", std::move(states)},
              {"positive", r.positive},
              {"negative", r.negative},
              {"iterations", r.iterations},
              {"seconds", r.seconds},
              {"threads", r.threads},
              {"workers", r.workers},
              {"affinity", {{"mode", r.affinity}, {"cpus", r.cpus}}},
              {"verdict", std::string(r.verdict())},
              {"ok", r.holds()}};
    if (!r.settings.empty()) j["settings"] = r.settings;
    if (!r.note.empty()) j["message"] = r.note;
    if (!r.model.empty()) {
        j["model"] = r.model;
        j["allowed"] = r.allowed;
        j["forbidden"] = json::array();
        for (const auto& values : r.forbidden) j["forbidden"].push_back(state_text(r.shown, values));
    }
    return j;
}

} // namespace ringproof::litmus
