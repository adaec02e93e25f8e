// SPDX-License-Identifier: Apache-2.0
#include "opinions.hpp"

#include <ringproof/command/exit_code.hpp>

#include "../program/facts.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace ringproof::verify {
namespace {

using command::exit_code;
using command::json;
using command::opinion_source;

/// The schedulers to ask for: those of the command line that the tool has, or its first.
std::vector<std::string> schedulers_of(const opinion_source& tool, const command_options& options) {
    std::vector<std::string> chosen;
    for (const std::string& one : options.opinion_schedulers)
        if (std::find(tool.schedulers.begin(), tool.schedulers.end(), one) != tool.schedulers.end())
            chosen.push_back(one);
    if (chosen.empty() && !tool.schedulers.empty()) chosen.push_back(tool.schedulers.front());
    return chosen;
}

void read_answer(opinion& o, const json& said) {
    if (said.contains("not_expressible")) {
        o.verdict = "not expressible";
        o.message = "this checker has no words for the scenario: " + said.value("not_expressible", "");
        return;
    }
    o.runs = said.value("runs", std::uint64_t{0});
    o.seconds = said.value("seconds", 0.0);
    o.words = said.value("words", "");
    o.place = said.value("place", "");
    o.history = said.value("history", "");
    if (said.contains("executions")) o.executions = said.value("executions", std::uint64_t{0});
    if (said.value("bug", false)) {
        o.verdict = "bug";
        o.message = fmt::format("{}, in run {}", o.words, o.runs);
        if (!o.place.empty()) o.message += " at " + o.place;
    } else if (o.runs == 0) {
        o.verdict = "failed";
        o.message = o.words.empty() ? "it ran nothing" : "it gave up: " + o.words;
    } else if (said.value("finished", false)) {
        o.verdict = "no bug";
        const bool chosen = o.scheduler == "random" || o.scheduler == "stress";
        o.message =
            fmt::format("no bug in {}: {} runs", chosen ? "what it chose" : "its schedule space", o.runs);
    } else {
        o.verdict = "stopped";
        o.message = fmt::format("no bug in {} runs, ended by the time limit", o.runs);
    }
}

/// What our verdict and the other amount to.
void compare(opinion& o, const outcome* ours, const opinion_source& tool) {
    const bool says_bug = o.verdict == "bug", says_none = o.verdict == "no bug" || o.verdict == "stopped";
    if (!ours || !(says_bug || says_none)) return;
    o.ours = verdict_name(ours->verdict);
    if (o.executions && o.verdict == "no bug" && ours->verdict == verdict::verified) {
        o.our_executions = ours->result.executions;
        o.message = fmt::format("no bug in all {} executions (ours: {})", *o.executions, *o.our_executions);
    }
    if (ours->verdict == verdict::verified)
        o.agrees = !says_bug;
    else if (ours->verdict == verdict::refuted)
        o.agrees = says_bug;
    if (o.agrees != false) return;
    if (says_none) // most checkers see less than all executions; for one that says nothing of it, this is a bug
        o.explanation = o.verdict == "stopped" ? "the time limit ended its search" : tool.cannot_see;
    else if (o.words == "LIVELOCK")
        o.explanation =
            "it takes a run of more than 2000 steps for a livelock; ours blocks a thread that waits";
}

const outcome* under_rc11(const std::vector<outcome>& outcomes, const std::string& scenario) {
    for (const outcome& o : outcomes)
        if (o.what->name == scenario && o.model == memory_model::rc11) return &o;
    return nullptr;
}

opinion ask(const opinion_source& tool, const std::string& scheduler, const std::string& scenario,
            const command_options& options) {
    opinion o;
    o.tool = tool.tool, o.scheduler = scheduler, o.scenario = scenario;
    const command::opinion_answer answer = command::ask_opinion(
        {tool.program, "--scenario", scenario, "--scheduler", scheduler, "--time",
         fmt::format("{}", options.opinion_seconds), "--runs", fmt::format("{}", options.opinion_runs),
         "--seed", fmt::format("{}", std::max<std::uint64_t>(options.seed, 1)), "--context-bound",
         fmt::format("{}", options.opinion_context_bound)},
        options.opinion_seconds + command::opinion_grace_seconds);
    o.message = answer.trouble;
    if (answer.exit_code == to_int(exit_code::no_match))
        o.verdict = "not expressible", o.message = "this checker's program was built without the scenario";
    else if (!o.message.empty())
        o.verdict = "failed";
    else
        try {
            read_answer(o, answer.said);
        } catch (const json::exception&) { // a field of another type
            o.verdict = "failed";
            o.message = fmt::format("what it printed is no answer: '{}'", answer.output);
        }
    return o;
}

/// Disagreements without an explanation, with one, failures, and the rest.
int rank(const opinion& o) {
    if (o.agrees == false) return o.explanation.empty() ? 0 : 1;
    return o.verdict == "failed" ? 2 : 3;
}

} // namespace

void check_names(const command_options& options) {
    command::check_opinions(options.second_opinions, "verify");
}

opinions ask_opinions(const std::vector<outcome>& outcomes, const command_options& options) {
    opinions asked;
    for (const std::string& wanted : options.second_opinions) {
        asked.sources.push_back(command::find_opinion(wanted));
        const opinion_source tool = asked.sources.back();
        if (!tool.ready()) continue;
        std::string last;
        for (const outcome& o : outcomes) { // those of a scenario stand together
            if (o.what->name == last || search_facts::interrupted) continue;
            last = o.what->name;
            for (const std::string& scheduler : schedulers_of(tool, options)) {
                opinion one = ask(tool, scheduler, last, options);
                compare(one, under_rc11(outcomes, last), tool);
                asked.all.push_back(std::move(one));
            }
        }
    }
    std::stable_sort(asked.all.begin(), asked.all.end(),
                     [](const opinion& a, const opinion& b) { return rank(a) < rank(b); });
    return asked;
}

int code_of(const opinions& asked) {
    const auto any = [&](auto condition) {
        return std::any_of(asked.all.begin(), asked.all.end(), condition);
    };
    const auto any_source = [&](const char* state) {
        return std::any_of(asked.sources.begin(), asked.sources.end(),
                           [&](const opinion_source& s) { return s.state == state; });
    };
    if (any([](const opinion& o) { return o.agrees == false && o.explanation.empty(); }))
        return to_int(exit_code::refuted);
    if (any_source("unusable")) return to_int(exit_code::usage);
    if (any_source("absent") || any([](const opinion& o) { return o.verdict == "failed"; }))
        return to_int(exit_code::skipped);
    return to_int(exit_code::holds);
}

void print(const opinions& asked, std::FILE* out) {
    for (const opinion_source& s : asked.sources) print_skipped(s, out);
    for (const opinion& o : asked.all) {
        const char* relation = !o.agrees ? "" : *o.agrees ? ", as ours" : ", unlike ours";
        fmt::print(out, "{} [{}, {}]: {}{}\n", o.scenario, o.tool, o.scheduler, o.message, relation);
        if (o.agrees == false)
            fmt::print(out, "  ours: {}. {}\n", o.ours,
                       o.explanation.empty()
                           ? "No explanation is known: one of the two has a bug; please report it"
                           : "Explained: " + o.explanation);
    }
    const auto agreeing =
        std::count_if(asked.all.begin(), asked.all.end(), [](const opinion& o) { return o.agrees == true; });
    const auto different =
        std::count_if(asked.all.begin(), asked.all.end(), [](const opinion& o) { return o.agrees == false; });
    if (!asked.all.empty())
        fmt::print(out, "{} second opinions: {} as ours, {} unlike ours, {} say nothing\n", asked.all.size(),
                   agreeing, different, asked.all.size() - static_cast<std::size_t>(agreeing + different));
}

command::json to_json(const opinions& asked) {
    json all{{"sources", json::array()}, {"verdicts", json::array()}};
    for (const opinion_source& s : asked.sources) all["sources"].push_back(command::to_json(s));
    for (const opinion& o : asked.all) {
        json one{{"scenario", o.scenario},   {"tool", o.tool},
                 {"scheduler", o.scheduler}, {"verdict", o.verdict},
                 {"message", o.message},     {"runs", o.runs},
                 {"seconds", o.seconds},     {"agrees", o.agrees ? json(*o.agrees) : json(nullptr)}};
        if (o.executions) one["executions"] = *o.executions;
        if (o.our_executions) one["our_executions"] = *o.our_executions;
        if (!o.words.empty()) one["words"] = o.words;
        if (!o.ours.empty()) one["ours"] = o.ours;
        if (!o.place.empty()) one["place"] = o.place;
        if (!o.explanation.empty()) one["explanation"] = o.explanation;
        if (!o.history.empty()) one["history"] = o.history;
        all["verdicts"].push_back(std::move(one));
    }
    return all;
}

} // namespace ringproof::verify
