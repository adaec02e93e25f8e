// SPDX-License-Identifier: Apache-2.0
#include "opinion.hpp"

#include <ringproof/command/exit_code.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <sstream>

namespace ringproof::litmus {
namespace {

using command::exit_code;
using command::json;
using command::opinion_source;

/// What a simulator has found out about a test.
struct finding {
    std::string observation; ///< "Never", "Sometimes", "Always"
    std::set<std::string> states;
    bool race = false;
};

/// "1:r1=0; 0:r0=1;" in an order of its own, so that two simulators' states can be compared.
std::string sorted(const std::string& state) {
    std::vector<std::string> values;
    std::istringstream parts(state);
    for (std::string part; std::getline(parts, part, ';');) {
        const std::size_t begin = part.find_first_not_of(' ');
        if (begin != std::string::npos) values.push_back(part.substr(begin));
    }
    std::sort(values.begin(), values.end());
    return fmt::format("{}", fmt::join(values, "; "));
}

finding ours(const json& result) {
    finding f;
    f.observation = result.value("observation", "");
    for (const json& one : result.at("states")) f.states.insert(sorted(one.at("state")));
    f.race = result.contains("flags") && !result["flags"].empty();
    return f;
}

/// @throws json::exception when it has no states, or a field is of another type
finding theirs(const json& said) {
    finding f;
    f.observation = said.at("observation");
    for (const json& one : said.at("states")) f.states.insert(sorted(one));
    f.race = said.value("race", false);
    return f;
}

/// How the two verdicts differ; empty: they agree. A program with a data race may do anything: then any states agree.
std::string difference(const finding& here, const finding& there) {
    if (here.race != there.race)
        return there.race ? "it finds a data race, and we none" : "it finds no data race, and we one";
    if (here.race) return "";
    if (here.observation != there.observation)
        return fmt::format("it says {}, and we {}", there.observation, here.observation);
    const auto missing = [](const auto& in, const auto& of) {
        return std::find_if(of.begin(), of.end(), [&](const auto& state) { return in.count(state) == 0; });
    };
    if (const auto at = missing(here.states, there.states); at != there.states.end())
        return fmt::format("it reaches the state '{}', and we do not", *at);
    if (const auto at = missing(there.states, here.states); at != here.states.end())
        return fmt::format("we reach the state '{}', and it does not", *at);
    return "";
}

void judge(opinion& o, const json& result, const json& said) {
    o.seconds = said.value("seconds", 0.0);
    o.words = said.value("words", "");
    if (said.contains("not_expressible")) {
        o.verdict = "not expressible";
        o.message = "it has no words for the test: " + said.value("not_expressible", "");
    } else if (!said.contains("observation")) {
        o.message = o.words.empty() ? "it simulated nothing" : "it gave up: " + o.words;
    } else {
        const finding here = ours(result), there = theirs(said);
        const std::string differs = difference(here, there);
        o.verdict = differs.empty() ? "same" : "different";
        o.message = !differs.empty() ? differs
                    : here.race      ? "a data race, as ours"
                                : fmt::format("{}, {} states, as ours", here.observation, here.states.size());
    }
}

opinion ask(const opinion_source& tool, const json& result, double seconds) {
    opinion o{tool.tool, result.at("file"), result.at("name"), result.at("model"), "failed", "", "", 0};
    const command::opinion_answer answer = command::ask_opinion(
        {tool.program, "--scenario", o.file, "--scheduler", o.model, "--time", fmt::format("{}", seconds)},
        seconds + command::opinion_grace_seconds);
    o.message = answer.trouble;
    if (!answer.trouble.empty()) return o;
    try {
        judge(o, result, answer.said);
    } catch (const json::exception&) { // a field that is missing, or of another type
        o.verdict = "failed";
        o.message = fmt::format("what it printed is no answer: '{}'", answer.output);
    }
    return o;
}

int rank(const opinion& o) { return o.verdict == "different" ? 0 : o.verdict == "failed" ? 1 : 2; }

bool any(const opinions& asked, const char* verdict) {
    return std::any_of(asked.all.begin(), asked.all.end(),
                       [&](const opinion& o) { return o.verdict == verdict; });
}

bool any_source(const opinions& asked, const char* state) {
    return std::any_of(asked.sources.begin(), asked.sources.end(),
                       [&](const opinion_source& s) { return s.state == state; });
}

} // namespace

opinions ask_opinions(const std::vector<std::string>& wanted, double seconds, const json& results,
                      const std::atomic<bool>& interrupted) {
    opinions asked;
    for (const std::string& word : wanted) {
        asked.sources.push_back(command::find_opinion(word));
        if (!asked.sources.back().ready()) continue;
        for (const json& result : results) {
            if (interrupted.load() || !result.contains("states")) continue; // ours is an error
            if (result.value("verdict", "") == "inconclusive") continue;
            asked.all.push_back(ask(asked.sources.back(), result, seconds));
        }
    }
    std::stable_sort(asked.all.begin(), asked.all.end(),
                     [](const opinion& a, const opinion& b) { return rank(a) < rank(b); });
    return asked;
}

int code_of(const opinions& asked) {
    if (any(asked, "different")) return to_int(exit_code::refuted);
    if (any_source(asked, "unusable")) return to_int(exit_code::usage);
    if (any_source(asked, "absent") || any(asked, "failed")) return to_int(exit_code::skipped);
    return to_int(exit_code::holds);
}

void print(const opinions& asked, std::FILE* out) {
    for (const opinion_source& s : asked.sources) print_skipped(s, out);
    for (const opinion& o : asked.all)
        fmt::print(out, "{} [{}, {}]: {}{}\n", o.name, o.tool, o.model, o.message,
                   o.verdict == "different" ? ". One of the two has a bug; please report it" : "");
    const auto count = [&](const char* verdict) {
        return std::count_if(asked.all.begin(), asked.all.end(),
                             [&](const opinion& o) { return o.verdict == verdict; });
    };
    if (!asked.all.empty())
        fmt::print(out, "{} second opinions: {} as ours, {} unlike ours, {} not expressible, {} failed\n",
                   asked.all.size(), count("same"), count("different"), count("not expressible"),
                   count("failed"));
}

json to_json(const opinions& asked) {
    json all{{"sources", json::array()}, {"verdicts", json::array()}};
    for (const opinion_source& s : asked.sources) all["sources"].push_back(command::to_json(s));
    for (const opinion& o : asked.all) {
        json one{{"name", o.name},       {"file", o.file},       {"tool", o.tool},      {"model", o.model},
                 {"verdict", o.verdict}, {"message", o.message}, {"seconds", o.seconds}};
        if (!o.words.empty()) one["words"] = o.words;
        all["verdicts"].push_back(std::move(one));
    }
    return all;
}

} // namespace ringproof::litmus
