// SPDX-License-Identifier: Apache-2.0
#include "opinions.hpp"

#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/opinion.hpp>

#include "../program/facts.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <stdexcept>

namespace ringproof::verify {
namespace {

using command::exit_code;
using command::json;

constexpr double about_seconds = 10, grace_seconds = 5;

/// A checker that can be asked.
struct asked_tool {
    std::string name, program, cannot_see;
    std::vector<std::string> schedulers;
};

std::string name_in(const std::string& wanted) { return wanted.substr(0, wanted.find('=')); }

/// NAME or NAME=PROGRAM.
command::opinion_program locate(const std::string& wanted, std::string& name) {
    const std::size_t equals = wanted.find('=');
    name = name_in(wanted);
    if (equals != std::string::npos) return {command::opinion_state::ready, wanted.substr(equals + 1), ""};
    const std::filesystem::path own = command::own_program();
    return command::find_opinion(own.parent_path().string(), own.filename().string(), name);
}

/// A JSON object in what a checker printed; null if there is none.
json answer_in(const std::string& output) {
    const std::size_t begin = output.find('{');
    if (begin == std::string::npos) return nullptr;
    json all = json::parse(output.begin() + static_cast<std::ptrdiff_t>(begin), output.end(), nullptr, false);
    return all.is_object() ? all : json(nullptr);
}

std::string beginning(const std::string& text) {
    constexpr std::size_t most = 60;
    std::string line = text.substr(0, std::min(text.find('\n'), most));
    for (char& c : line)
        if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) > '~') c = '?';
    return line;
}

/// Why an answer is none; empty: it is one.
std::string trouble(const command::child_answer& answer, const json& said) {
    if (!answer.ended) return answer.why;
    if (answer.exit_code != 0) return fmt::format("it ended with exit code {}", answer.exit_code);
    if (said.is_null())
        return answer.output.empty()
                   ? "it printed nothing"
                   : fmt::format("what it printed is no answer: '{}'", beginning(answer.output));
    return "";
}

bool introduce(const std::string& wanted, opinion_source& source, asked_tool& tool) {
    const command::opinion_program found = locate(wanted, source.tool);
    for (const auto& known : command::known_opinions())
        if (known.name == source.tool) source.install = known.install;
    source.state = "ready";
    if (found.state != command::opinion_state::ready) {
        source.state = found.state == command::opinion_state::absent ? "absent" : "unusable";
        source.why = found.why;
        return false;
    }
    const command::child_answer answer = command::run_child({found.program, "--about"}, about_seconds);
    const json said = answer_in(answer.output);
    source.why = trouble(answer, said);
    if (source.why.empty() && !(said.contains("schedulers") && said["schedulers"].is_array()))
        source.why = "it names no scheduler";
    if (!source.why.empty()) {
        source.state = "unusable";
        source.why = fmt::format("{}: {}", found.program, source.why);
        return false;
    }
    tool.name = source.tool;
    tool.program = found.program;
    if (const auto bounds = said.find("cannot_see"); bounds != said.end() && bounds->is_string())
        source.cannot_see = tool.cannot_see = *bounds;
    for (const json& one : said["schedulers"])
        if (one.is_string()) tool.schedulers.push_back(one);
    return true;
}

/// The schedulers to ask for: those of the command line that the tool has, or its first.
std::vector<std::string> schedulers_of(const asked_tool& tool, const command_options& options) {
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
void compare(opinion& o, const outcome* ours, const asked_tool& tool) {
    const bool says_bug = o.verdict == "bug", says_none = o.verdict == "no bug" || o.verdict == "stopped";
    if (!ours || !(says_bug || says_none)) return;
    o.ours = verdict_name(ours->verdict);
    if (ours->verdict == verdict::verified)
        o.agrees = !says_bug;
    else if (ours->verdict == verdict::refuted)
        o.agrees = says_bug;
    if (o.agrees != false) return;
    if (says_none) // every checker sees less than all executions
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

opinion ask(const asked_tool& tool, const std::string& scheduler, const std::string& scenario,
            const command_options& options) {
    opinion o;
    o.tool = tool.name, o.scheduler = scheduler, o.scenario = scenario;
    const command::child_answer answer = command::run_child(
        {tool.program, "--scenario", scenario, "--scheduler", scheduler, "--time",
         fmt::format("{}", options.opinion_seconds), "--runs", fmt::format("{}", options.opinion_runs),
         "--seed", fmt::format("{}", std::max<std::uint64_t>(options.seed, 1)), "--context-bound",
         fmt::format("{}", options.opinion_context_bound)},
        options.opinion_seconds + grace_seconds);
    const json said = answer_in(answer.output);
    o.message = trouble(answer, said);
    if (answer.ended && answer.exit_code == to_int(exit_code::no_match))
        o.verdict = "not expressible", o.message = "this checker's program was built without the scenario";
    else if (!o.message.empty())
        o.verdict = "failed";
    else
        try {
            read_answer(o, said);
        } catch (const json::exception&) { // a field of another type
            o.verdict = "failed";
            o.message = fmt::format("what it printed is no answer: '{}'", beginning(answer.output));
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
    const auto& known = command::known_opinions();
    for (const std::string& wanted : options.second_opinions) {
        const std::string name = name_in(wanted);
        if (std::any_of(known.begin(), known.end(), [&](const auto& one) { return one.name == name; }))
            continue;
        std::string names;
        for (const auto& one : known) names += (names.empty() ? "" : ", ") + std::string(one.name);
        throw std::invalid_argument(
            fmt::format("--second-opinion knows no checker '{}'; it knows {}", name, names));
    }
}

opinions ask_opinions(const std::vector<outcome>& outcomes, const command_options& options) {
    opinions asked;
    for (const std::string& wanted : options.second_opinions) {
        asked_tool tool;
        asked.sources.emplace_back();
        if (!introduce(wanted, asked.sources.back(), tool)) continue;
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
    for (const opinion_source& s : asked.sources) {
        if (s.state == "ready") continue;
        fmt::print(out, "second opinion {}: skipped, {}: {}\n  to have it: {}\n", s.tool, s.state, s.why,
                   s.install);
    }
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
    for (const opinion_source& s : asked.sources) {
        json source{{"tool", s.tool}, {"state", s.state}};
        if (!s.why.empty()) source["why"] = s.why;
        if (!s.install.empty()) source["install"] = s.install;
        if (!s.cannot_see.empty()) source["cannot_see"] = s.cannot_see;
        all["sources"].push_back(std::move(source));
    }
    for (const opinion& o : asked.all) {
        json one{{"scenario", o.scenario},   {"tool", o.tool},
                 {"scheduler", o.scheduler}, {"verdict", o.verdict},
                 {"message", o.message},     {"runs", o.runs},
                 {"seconds", o.seconds},     {"agrees", o.agrees ? json(*o.agrees) : json(nullptr)}};
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
