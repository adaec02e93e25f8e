// SPDX-License-Identifier: Apache-2.0
#include "results.hpp"

#include <ringproof/command/repository.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace ringproof::silicon::a64 {

using command::json;

std::atomic<bool> interrupted{false};

const char* verdict_of(const findings& f) {
    if (!f.failure.empty()) return "refuted";
    const bool all = !f.cut && !f.stopped && !f.limited && !f.random && !f.bounded && !f.early_left_out &&
                     f.executions > 0;
    return all ? "verified" : "inconclusive";
}

std::string why_inconclusive(const findings& f) {
    if (f.stopped) return interrupted ? "interrupted" : "ended by --time";
    if (f.limited) return "ended by --max-executions";
    if (f.random) return "random executions only: none of them fails";
    if (f.cut) return "a thread ran longer than --max-instructions";
    if (f.early_left_out)
        return "a fourth spurious wake-up or failed store-exclusive in a row is not followed: "
               "--spurious=always, or "
               "--spurious=never";
    if (f.bounded) return "a thread's third timed wait that is not woken is not followed";
    return "no execution came to its end: threads wait for each other for ever";
}

namespace {

json events_of(const findings& f) {
    std::map<std::pair<std::size_t, std::size_t>, int> ids;
    for (const shown_access& a : f.shown)
        ids.emplace(std::pair{a.thread, a.index}, static_cast<int>(ids.size()));
    json events = json::array();
    for (const shown_access& a : f.shown) {
        json one{{"id", ids[{a.thread, a.index}]},
                 {"thread", a.thread},
                 {"kind", a.location.empty()            ? "fence"
                          : a.what.starts_with("reads") ? "read"
                                                        : "write"},
                 {"label", fmt::format("{} {}: {}", a.place, a.instruction, a.what)}};
        if (!a.location.empty()) one["location"] = a.location;
        if (!a.value.empty()) one["value"] = a.value;
        if (!a.source.file.empty()) {
            one["file"] = command::path_in_results(a.source.file);
            one["line"] = a.source.line;
        }
        if (a.from) one["rf"] = ids[*a.from];
        events.push_back(std::move(one));
    }
    return events;
}

json missing_of(const findings& f) {
    json all = json::array();
    for (const missing_orders& m : f.missing) {
        json one{{"verdict", m.verdict.empty() ? json() : json(m.verdict)},
                 {"executions", m.executions},
                 {"orders", json::array()}};
        for (const shown_order& o : m.orders) {
            json order{{"place", o.place},
                       {"instruction", o.instruction},
                       {"becomes", o.becomes},
                       {"barrier", o.is_barrier},
                       {"cxx", o.cxx}};
            if (!o.source.file.empty()) {
                order["file"] = command::path_in_results(o.source.file);
                order["line"] = o.source.line;
            }
            one["orders"].push_back(std::move(order));
        }
        all.push_back(std::move(one));
    }
    return all;
}

} // namespace

json to_json(const findings& f, const about_result& about) {
    json one{{"name", about.name},
             {"model", "armv8"},
             {"verdict", verdict_of(f)},
             {"expected", about.expected},
             {"ok", verdict_of(f) == about.expected},
             {"executions", f.executions},
             {"blocked", f.blocked},
             {"seconds", f.seconds},
             {"properties",
              about.hangs_fail ? json::array({"assertions", "deadlocks"}) : json::array({"assertions"})}};
    if (f.processes > 1) one["processes"] = f.processes;
    if (f.failing > 1) one["failing"] = f.failing;
    if (!about.command.empty()) one["command"] = about.command;
    if (std::string_view(verdict_of(f)) == "inconclusive") one["message"] = why_inconclusive(f);
    if (f.failure.empty()) return one;
    one["message"] = f.failure;
    json& example = one["counterexample"];
    example = {{"kind", f.waits.empty() ? "assertion" : "deadlock"},
               {"message", f.failure},
               {"events", events_of(f)}};
    if (f.interleaving) example["interleaving"] = true;
    if (!f.missing.empty()) example["missing"] = missing_of(f);
    if (f.more_missing) example["more_missing"] = true;
    if (about.replay.empty()) return one;
    example["replay"] = f.token;
    std::vector<std::string> words = about.replay;
    const auto flags = std::find(words.begin(), words.end(), "--");
    const std::vector<std::string> option{"--replay", f.token};
    words.insert(flags, option.begin(), option.end());
    example["replay_command"] = words;
    return one;
}

} // namespace ringproof::silicon::a64
