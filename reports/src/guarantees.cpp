// SPDX-License-Identifier: Apache-2.0
#include "guarantees.hpp"

#include "assets.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace ringproof::report {
namespace {

const json& table() {
    static const json read = json::parse(assets::guarantees);
    return read;
}

std::string text(const json& from, const char* key) {
    const auto found = from.find(key);
    return found != from.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Below the folder of the ring's own scenarios: its path there. Nothing for other people's files.
std::optional<std::string> own_file(const std::string& file) {
    const std::string folder = text(table(), "scenarios_in");
    const auto at = file.rfind(folder);
    if (at == std::string::npos || (at != 0 && file[at - 1] != '/')) return std::nullopt;
    return file.substr(at + folder.size());
}

double nanoseconds(const json& b) {
    for (const char* given : {"ns_per_item", "p50_ns"})
        if (const double ns = b.value(given, 0.0); ns > 0) return ns;
    if (const double rate = b.value("items_per_second", 0.0); rate > 0) return 1e9 / rate;
    const std::string unit = b.value("time_unit", "ns");
    return b.value("real_time", 0.0) * (unit == "s" ? 1e9 : unit == "ms" ? 1e6 : unit == "us" ? 1e3 : 1);
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// One queue in one placement and regime of a workload.
struct measured {
    std::vector<double> calm, all;
    double low = 0, high = 0;
    double ns() const { return median(calm.empty() ? all : calm); }
};

using place = std::tuple<std::string, std::string>; // placement, regime

/// place → queue → what was measured of one workload, by one run.
std::map<place, std::map<std::string, measured>> by_place(const document& run, const std::string& workload) {
    std::map<place, std::map<std::string, measured>> found;
    for (const json& b : run.content.at("benchmarks")) {
        if (text(b, "workload") != workload || b.value("error_occurred", false)) continue;
        const place where{text(b, "placement"), text(b, "regime")};
        if (b.value("run_type", "iteration") != "iteration") {
            measured& of = found[where][text(b, "peer")];
            if (const double low = b.value("ci_low_ns", 0.0); low > 0)
                of.low = low, of.high = b.value("ci_high_ns", low);
        } else if (const double ns = nanoseconds(b); ns > 0) {
            measured& of = found[where][text(b, "peer")];
            of.all.push_back(ns);
            if (b.value("steady", true)) of.calm.push_back(ns);
        }
    }
    for (auto& [where, queues] : found)
        std::erase_if(queues, [](const auto& one) { return one.second.all.empty(); });
    return found;
}

void compare(guarantee_cost& cost, const std::map<std::string, measured>& queues,
             const std::vector<ratio_row>& ratios) {
    const measured& ours = queues.at(cost.queue);
    const measured* best = nullptr;
    for (const auto& [name, one] : queues)
        if (!name.empty() && !name.starts_with("ringproof") && one.ns() < collapsed_ratio * ours.ns() &&
            (!best || one.ns() < best->ns()))
            best = &one, cost.peer = name;
    if (!best) return;
    for (const ratio_row& r : ratios)
        if (r.workload == cost.workload && r.placement == cost.placement && r.regime == cost.regime &&
            r.peer == cost.peer && cost.queue == "ringproof") {
            cost.ratio = r.median, cost.ratio_low = r.low, cost.ratio_high = r.high;
            return;
        }
    // Only the default queue has a ratio of its own: of others that of the medians, and the widest that their intervals allow.
    cost.ratio = best->ns() / ours.ns();
    if (best->low > 0 && ours.low > 0)
        cost.ratio_low = best->low / ours.high, cost.ratio_high = best->high / ours.low;
}

guarantee_cost cost_of(const json& asked, const std::vector<document>& documents,
                       const std::vector<ratio_row>& ratios) {
    guarantee_cost cost;
    cost.workload = text(asked, "workload"), cost.queue = text(asked, "queue"),
    cost.what = text(asked, "what");
    for (const document* run : runs_of(documents)) { // the newest that has it stands
        const auto places = by_place(*run, cost.workload);
        const auto rank = [&](const auto& one) { // a CPU for each thread comes first
            const auto found = one.second.find(cost.queue);
            if (found == one.second.end()) return std::pair<bool, std::size_t>{false, 0};
            return std::pair{std::get<0>(one.first) != "oversubscribed",
                             found->second.calm.size() * 1000 + found->second.all.size()};
        };
        const auto best = std::max_element(places.begin(), places.end(),
                                           [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
        if (best == places.end() || !best->second.contains(cost.queue)) continue;
        guarantee_cost now = cost;
        now.measured = true, now.peer.clear();
        now.ratio = now.ratio_low = now.ratio_high = 0;
        std::tie(now.placement, now.regime) = best->first;
        const measured& ours = best->second.at(cost.queue);
        now.ns = ours.ns(), now.low = ours.low, now.high = ours.high;
        now.repetitions = static_cast<unsigned>(ours.all.size());
        compare(now, best->second, ratios);
        cost = now;
    }
    return cost;
}

void count(guarantee& of, const json& result, outcome made) {
    const std::string name = text(result, "name");
    const bool falls = result.value("expected", "verified") == "refuted";
    const bool mutant = falls || !text(result, "mutant").empty(); // under a strong model a mutant may hold
    (mutant ? of.mutants : of.scenarios).insert(name);
    if (falls)
        ++of.breaks, of.refuted += made == outcome::passed;
    else if (!mutant)
        ++of.results, of.held += made == outcome::passed;
    if (made != outcome::passed)
        ++(made == outcome::failed || made == outcome::error ? of.unexpected : of.open);
    of.executions += result.value("executions", 0ULL);
    of.models.insert(text(result, "model"));
}

} // namespace

std::vector<std::string> shown_by(const std::string& file, const std::string& name, bool& known) {
    known = true;
    const auto own = own_file(file);
    if (!own) return {};
    for (const json& rule : table().at("scenarios")) {
        if (rule.at("file") != *own) continue;
        const json with = rule.value("with", json::array());
        const bool fits = with.empty() || std::any_of(with.begin(), with.end(), [&](const json& part) {
                              return name.find(part.get<std::string>()) != std::string::npos;
                          });
        if (fits) return rule.at("shows").get<std::vector<std::string>>();
    }
    known = false;
    return {};
}

guarantees guarantees_of(const std::vector<document>& documents, const std::vector<ratio_row>& ratios) {
    guarantees found;
    std::map<std::string, guarantee> by_id;
    bool any = false;
    for (const document& source : documents) {
        json shown = json::array();
        if (source.kind == document_kind::verify)
            for (const json& result : source.content.at("results")) {
                bool known = true;
                const auto ids = shown_by(text(result, "file"), text(result, "name"), known);
                if (!known) found.unmapped.insert(text(result, "name"));
                any = any || !ids.empty() || !known;
                shown.push_back(ids);
                for (const std::string& id : ids)
                    count(by_id[id], result, case_of(source.kind, result)->result);
            }
        found.shown.push_back(std::move(shown));
    }
    if (!any) return found;
    for (const json& line : table().at("guarantees")) {
        guarantee one = by_id[text(line, "id")];
        one.id = text(line, "id"), one.title = text(line, "title"), one.promise = text(line, "promise");
        one.cost = cost_of(line.at("cost"), documents, ratios);
        found.all.push_back(std::move(one));
    }
    return found;
}

json to_json(const guarantees& all) {
    json made{{"all", json::array()}, {"unmapped", all.unmapped}, {"shown", all.shown}};
    for (const guarantee& g : all.all) {
        const guarantee_cost& c = g.cost;
        json cost{{"workload", c.workload}, {"queue", c.queue}, {"what", c.what}, {"measured", c.measured}};
        if (c.measured)
            cost.update({{"placement", c.placement},
                         {"regime", c.regime},
                         {"ns", c.ns},
                         {"low", c.low},
                         {"high", c.high},
                         {"repetitions", c.repetitions},
                         {"peer", c.peer},
                         {"ratio", c.ratio},
                         {"ratio_low", c.ratio_low},
                         {"ratio_high", c.ratio_high}});
        made["all"].push_back({{"id", g.id},
                               {"title", g.title},
                               {"promise", g.promise},
                               {"scenarios", g.scenarios.size()},
                               {"mutants", g.mutants.size()},
                               {"results", g.results},
                               {"held", g.held},
                               {"breaks", g.breaks},
                               {"refuted", g.refuted},
                               {"unexpected", g.unexpected},
                               {"open", g.open},
                               {"executions", g.executions},
                               {"models", g.models},
                               {"cost", cost}});
    }
    return made;
}

} // namespace ringproof::report
