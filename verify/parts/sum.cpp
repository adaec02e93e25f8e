// SPDX-License-Identifier: Apache-2.0
#include "sum.hpp"

#include "../src/division/stored_hidden.hpp"

#include <ringproof/verify/assumption.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <stdexcept>
#include <utility>

namespace ringproof::verify {
namespace {

struct collected {
    std::vector<const given_result*> parts;
    std::vector<part_of_search> missing;
};

/// The results that make up a part: its own, unless what it left was divided further.
void collect(const part_tree& at, part_of_search name, collected& to) {
    const bool done = at.whole && is_done(*at.whole);
    if (at.parts.empty() || done) {
        if (at.whole)
            to.parts.push_back(at.whole);
        else
            to.missing.push_back(std::move(name));
        return;
    }
    for (std::uint32_t number = 1; number <= at.count; ++number) {
        part_of_search inner = name;
        inner.push_back({at.division, number, at.count, 1});
        const auto part = at.parts.find(number);
        collect(part == at.parts.end() ? part_tree{} : part->second, std::move(inner), to);
    }
}

void add_counts(json& to, const json& part) {
    for (const char* count : {"executions", "permutations", "blocked", "pruned", "events"})
        to[count] = to.value(count, std::uint64_t{0}) + number(part.at(count), ~std::uint64_t{0} / 4, count);
    to["longest"] = std::max(to.value("longest", std::uint64_t{0}), part.at("longest").get<std::uint64_t>());
    to["seconds"] = to.value("seconds", 0.0) + part.at("seconds").get<double>();
}

/// The same place taken for granted by several parts is one entry.
void add_assumption(json& ledger, const json& entry) {
    for (json& known : ledger)
        if (known.at("kind") == entry.at("kind") && known.at("place") == entry.at("place")) {
            known["times"] = known.at("times").get<std::uint64_t>() + entry.at("times").get<std::uint64_t>();
            return;
        }
    ledger.push_back(entry);
}

void add_new(json& to, const json& from) {
    for (const json& one : from)
        if (std::find(to.begin(), to.end(), one) == to.end()) to.push_back(one);
}

/// What one part has ignored is no property of the whole.
void remove_ignored(json& properties, const json& assumptions) {
    for (const auto& [kind, property] :
         {std::pair("race-ignored", "races"), std::pair("liveness", "deadlocks")})
        for (const json& entry : assumptions)
            if (entry.at("kind") == kind)
                properties.erase(std::remove(properties.begin(), properties.end(), json(property)),
                                 properties.end());
}

/// What a loop that counts comes to is seen from all parts: see whole_ledger().
json loops_of(const std::vector<const given_result*>& parts) {
    json all = json::array();
    for (const given_result* part : parts)
        for (const json& loop : part->result.at("found").at("loops")) {
            const auto known = std::find_if(all.begin(), all.end(), [&](const json& other) {
                return other.at("place") == loop.at("place");
            });
            if (known == all.end()) {
                all.push_back(loop);
                continue;
            }
            for (const char* seen : {"endless", "left"})
                (*known)[seen] = known->at(seen).get<bool>() || loop.at(seen).get<bool>();
        }
    return all;
}

void add_endless_loops(json& ledger, const json& loops) {
    const auto& row = row_of(assumption::yield);
    for (const json& loop : loops) {
        if (!loop.at("endless").get<bool>() || !loop.at("left").get<bool>()) continue;
        const bool known = std::any_of(ledger.begin(), ledger.end(), [&](const json& entry) {
            return entry.at("kind") == row.name && entry.at("place") == loop.at("place");
        });
        if (!known)
            ledger.push_back(
                {{"kind", row.name}, {"standing", "open"}, {"place", loop.at("place")}, {"times", 1}});
    }
}

bool any(const std::vector<const given_result*>& parts, const std::function<bool(const json&)>& is) {
    return std::any_of(parts.begin(), parts.end(), [&](const auto* part) { return is(part->result); });
}

/// Why the parts, none of which is refuted, say nothing of the whole; empty: they do.
std::string why_open(const json& sum, const collected& all) {
    std::vector<std::string> learnt, stopped;
    for (const given_result* part : all.parts) {
        if (is_done(*part)) continue;
        const bool has_learnt = part->result.at("found").at("learnt").get<bool>();
        (has_learnt ? learnt : stopped).push_back(part->file);
    }
    if (!learnt.empty())
        return "what a part learnt of the program, the others do not know: the whole search is to be divided "
               "anew, from what --checkpoint wrote of that part: " +
               listed(learnt, "more");
    if (!stopped.empty()) return "these parts are not searched to their ends: " + listed(stopped, "more");
    if (!sum.at("found").at("bounds").empty()) {
        const auto bounds = sum.at("found").at("bounds").get<std::vector<std::string>>();
        return fmt::format("bounds cut executions short: {}", fmt::join(bounds, ", "));
    }
    if (sum.at("executions") == 0)
        return fmt::format("no execution was complete ({} were blocked), so nothing was shown",
                           sum.at("blocked").get<std::uint64_t>());
    const bool polled =
        std::any_of(sum.at("assumptions").begin(), sum.at("assumptions").end(), [](const json& a) {
            return a.at("kind") == row_of(assumption::restored_iteration).name;
        });
    const auto not_judged = [](const json& part) { return !part.at("found").at("judged").get<bool>(); };
    const auto unordered = [](const json& part) {
        return part.at("found").at("unordered_reads").get<bool>();
    };
    if (polled && any(all.parts, unordered) && any(all.parts, not_judged))
        return "a poll that one part left out may be seen by another: stop the whole search with --divide, "
               "which has all parts look for that";
    hidden_races hidden;
    for (const given_result* part : all.parts)
        hidden.add(
            hidden_of(part->result.at("found").at("hidden"), [](std::uint64_t place) { return place; }));
    if (hidden.possible())
        return "an iteration of a waiting loop that one part left out may race with an access in another: "
               "search the "
               "whole without --divide, which explores such iterations";
    std::string open;
    for (const json& a : sum.at("assumptions"))
        if (a.at("standing") == "open")
            open +=
                fmt::format("{}{}{}", open.empty() ? "not shown: " : "; ", a.at("kind").get<std::string>(),
                            a.at("place").is_null() ? "" : " at " + a.at("place").get<std::string>());
    return open;
}

/// What all parts have in common, and the sums.
json sum_of(const collected& all) {
    json sum = all.parts.front()->result;
    for (const char* of_one :
         {"part", "found", "checksum", "message", "stopped_by", "discarded", "blocked_at", "counterexample",
          "processes", "executions", "permutations", "blocked", "pruned", "events", "longest", "seconds"})
        sum.erase(of_one);
    sum["assumptions"] = json::array();
    sum["found"] = {{"bounds", json::array()}};
    for (const given_result* part : all.parts) {
        add_counts(sum, part->result);
        for (const json& entry : part->result.at("assumptions")) add_assumption(sum["assumptions"], entry);
        for (const auto& [point, met] : part->result.at("covered").items())
            sum["covered"][point] = sum["covered"].value(point, false) || met.get<bool>();
        add_new(sum["properties"], part->result.at("properties"));
        add_new(sum["found"]["bounds"], part->result.at("found").at("bounds"));
    }
    remove_ignored(sum["properties"], sum["assumptions"]);
    add_endless_loops(sum["assumptions"], loops_of(all.parts));
    sum["parts"] = all.parts.size();
    return sum;
}

/// @return the situations that a scenario requires, and that no part met
std::string not_covered(const json& sum) {
    std::vector<std::string> names;
    for (const auto& [point, met] : sum.at("covered").items())
        if (!met.get<bool>()) names.push_back(point);
    return names.empty()
               ? ""
               : fmt::format("no execution met what the scenario requires: {}", fmt::join(names, ", "));
}

void judge(json& sum, const collected& all) {
    const auto with = [&](const char* verdict) {
        return std::find_if(all.parts.begin(), all.parts.end(),
                            [&](const auto* part) { return part->result.at("verdict") == verdict; });
    };
    for (const char* verdict : {"refuted", "error"}) {
        const auto found = with(verdict);
        if (found == all.parts.end()) continue;
        for (const char* key : {"verdict", "ok", "message", "counterexample", "file", "line"})
            if ((*found)->result.contains(key)) sum[key] = (*found)->result.at(key);
        return;
    }
    std::string why = why_open(sum, all);
    sum["verdict"] = why.empty() ? "verified" : "inconclusive";
    const bool expected = !sum.contains("expected") || sum.at("expected") == "verified";
    if (why.empty() && expected) {
        why = not_covered(sum);
        if (!why.empty()) sum["verdict"] = "refuted";
    }
    sum["ok"] = why.empty() && expected;
    if (!why.empty()) sum["message"] = why;
}

} // namespace

summed_result sum_up(const part_tree& search) {
    collected all;
    collect(search, {}, all);
    summed_result summed;
    for (const part_of_search& part : all.missing) summed.missing.push_back(name_of(part));
    if (all.parts.empty()) return summed;
    if (all.parts.size() == 1 && all.parts.front()->part.empty()) {
        summed.result = all.parts.front()->result;
        return summed;
    }
    for (const given_result* part : all.parts)
        if (part->part.empty()) throw std::invalid_argument(part->file + ": it is no part");
    summed.result = sum_of(all);
    judge(summed.result, all);
    summed.result.erase("found");
    return summed;
}

} // namespace ringproof::verify
