// SPDX-License-Identifier: Apache-2.0
#include "figures.hpp"

#include <algorithm>
#include <stdexcept>

namespace ringproof::silicon::a64 {

using command::json;

namespace {

/// [first, end, first, end, …]
json json_of(const tree_part& part) {
    json flat = json::array();
    for (const alternatives_left& a : part) {
        flat.push_back(a.first);
        flat.push_back(a.end);
    }
    return flat;
}
tree_part part_of(const json& flat) {
    tree_part part;
    if (flat.size() % 2 != 0) throw std::invalid_argument("a part of the search is not whole");
    for (std::size_t k = 0; k < flat.size(); k += 2)
        part.push_back({flat.at(k).get<std::uint32_t>(), flat.at(k + 1).get<std::uint32_t>()});
    for (const alternatives_left& a : part)
        if (a.first >= a.end) throw std::invalid_argument("a part of the search has no alternatives");
    return part;
}

} // namespace

json figures_of(const findings& f) {
    json one{{"executions", f.executions},
             {"blocked", f.blocked},
             {"failing", f.failing},
             {"cut", f.cut},
             {"stopped", f.stopped},
             {"limited", f.limited},
             {"bounded", f.bounded},
             {"early", f.early_left_out},
             {"hang", f.hang},
             {"failure", f.failure},
             {"token", f.token},
             {"accesses", f.accesses},
             {"choices", f.choices},
             {"threads", f.threads},
             {"seconds", f.seconds},
             {"done", f.done},
             {"rest", json::array()}};
    for (const tree_part& part : f.rest) one["rest"].push_back(json_of(part));
    return one;
}

findings findings_of(const json& figures) {
    findings f;
    figures.at("executions").get_to(f.executions);
    figures.at("blocked").get_to(f.blocked);
    figures.at("failing").get_to(f.failing);
    figures.at("cut").get_to(f.cut);
    figures.at("stopped").get_to(f.stopped);
    figures.at("limited").get_to(f.limited);
    figures.at("bounded").get_to(f.bounded);
    figures.at("early").get_to(f.early_left_out);
    figures.at("hang").get_to(f.hang);
    figures.at("failure").get_to(f.failure);
    figures.at("token").get_to(f.token);
    figures.at("accesses").get_to(f.accesses);
    figures.at("choices").get_to(f.choices);
    figures.at("threads").get_to(f.threads);
    figures.at("seconds").get_to(f.seconds);
    figures.at("done").get_to(f.done);
    for (const json& flat : figures.at("rest")) f.rest.push_back(part_of(flat));
    return f;
}

void add_findings(findings& to, const findings& more) {
    to.executions += more.executions;
    to.blocked += more.blocked;
    to.failing += more.failing;
    to.choices += more.choices;
    to.cut = to.cut || more.cut;
    to.stopped = to.stopped || more.stopped;
    to.limited = to.limited || more.limited;
    to.bounded = to.bounded || more.bounded;
    to.early_left_out = to.early_left_out || more.early_left_out;
    to.threads = std::max(to.threads, more.threads);
    to.processes = std::max(to.processes, more.processes);
    if (to.hang.empty()) to.hang = more.hang;
    to.rest.insert(to.rest.end(), more.rest.begin(), more.rest.end());
    if (more.failure.empty() || (!to.failure.empty() && to.accesses <= more.accesses)) return;
    to.failure = more.failure;
    to.token = more.token;
    to.accesses = more.accesses;
    to.shown.clear();
    to.waits.clear();
    to.failing_execution = nullptr;
}

} // namespace ringproof::silicon::a64
