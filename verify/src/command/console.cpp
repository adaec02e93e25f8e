// SPDX-License-Identifier: Apache-2.0
#include "console.hpp"

#include "../linear/registry.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <set>

namespace ringproof::verify {
namespace {

constexpr int red = 31, green = 32, yellow = 33, bold = 1;
constexpr std::size_t longest_shown_token = 2000;

/// 1234567 as "1,234,567"
std::string grouped(std::uint64_t n) {
    std::string digits = std::to_string(n);
    for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
    return digits;
}

std::string counted(std::uint64_t n, const char* thing) {
    return fmt::format("{} {}{}", grouped(n), thing, n == 1 ? "" : "s");
}

/// The source line, for those who read the log elsewhere.
std::string source_text(const source_position& at) {
    std::ifstream file(at.file);
    std::string line;
    for (int n = 0; n < at.line; ++n)
        if (!std::getline(file, line)) return "";
    const auto from = line.find_first_not_of(" \t");
    return from == std::string::npos ? "" : line.substr(from);
}

std::string duration(double seconds) {
    if (seconds < 0.0005) return fmt::format("{:.0f} µs", seconds * 1e6);
    if (seconds < 0.9995) return fmt::format("{:.3g} ms", seconds * 1e3);
    return command::format_duration(seconds);
}

std::string figures(const outcome& o) {
    const exploration_result& r = o.result;
    std::string text;
    if (o.verdict == verdict::verified && !o.has_property()) {
        const std::vector<std::string> own = o.own_properties();
        for (std::size_t i = 0; i < own.size(); ++i)
            text += (i == 0 ? "" : i + 1 == own.size() ? " and " : ", ") + own[i];
        text += " only: no assertion was evaluated; ";
    }
    if (o.verdict == verdict::verified && o.races_ignored()) text += "data races ignored; ";
    if (o.verdict == verdict::verified && o.waits_ignored()) text += "endless waits ignored; ";
    if (const auto* test = linear::find_registered(o.what->name); test && o.verdict == verdict::verified)
        text += linear::claim_text(*test) + "; ";
    text += counted(r.executions, "execution");
    if (const auto all = static_cast<std::uint64_t>(r.permutations + 0.5); all != r.executions)
        text += fmt::format(" ({} with their permutations)", grouped(all));
    if (r.blocked > 0) text += fmt::format(" + {} blocked", grouped(r.blocked));
    if (r.blocked_by_assumption > 0)
        text += fmt::format(" ({} by an assumption)", grouped(r.blocked_by_assumption));
    if (r.discarded > r.executions + r.blocked && r.discarded >= 1'000)
        text += fmt::format(", after {} that told how to search", grouped(r.discarded));
    text += fmt::format(", {} steps, {}", grouped(r.events), duration(r.seconds));
    if (r.seconds > 0.01)
        text += fmt::format(", {}/s", grouped(static_cast<std::uint64_t>(
                                          static_cast<double>(r.executions + r.blocked) / r.seconds)));
    return text;
}

std::string phrase(const outcome& o) {
    if (o.verdict == verdict::refuted && o.expected == verdict::refuted)
        return o.ok() ? "refuted, as expected" : "REFUTED OTHERWISE";
    if (o.verdict == verdict::verified && o.expected == verdict::refuted)
        return "VERIFIED, though to be refuted";
    if (o.verdict == verdict::refuted) return o.expected ? "REFUTED" : "refuted";
    return std::string(verdict_name(o.verdict));
}

} // namespace

std::string console::painted(std::string_view text, int color) const {
    return options_.colored ? fmt::format("\x1b[{}m{}\x1b[0m", color, text) : std::string(text);
}

void console::list(const std::vector<const subject*>& all) const {
    for (const subject* s : all) {
        std::string models;
        for (const memory_model m : s->options.models)
            models += (models.empty() ? "" : " ") + std::string(model_name(m));
        fmt::print(out_, "{}  [{}]{}\n", s->name, models,
                   s->options.expect == verdict::refuted ? "  to be refuted" : "");
    }
}

void console::print(const outcome& o) const {
    if (options_.quiet && o.ok()) return;
    const int color = o.ok() ? green : o.verdict == verdict::inconclusive ? yellow : red;
    fmt::print(out_, "{}  {:<4}  {}  ({})\n", painted(fmt::format("{:<20}", phrase(o)), color),
               model_name(o.model), o.what->name, figures(o));
    if (!o.message.empty() && !o.example) fmt::print(out_, "    {}\n", o.message);
    const auto told = [&](const shown_assumption& a) { return row_of(a.kind).stands != standing::proved; };
    const bool tell =
        options_.check || options_.verbose || std::any_of(o.assumptions.begin(), o.assumptions.end(), told);
    if (o.verdict == verdict::verified && tell && !o.assumptions.empty())
        fmt::print(out_, "    relies on: {}\n", ledger_line(o.assumptions));
    // An error behind a race is one of a program that C++ gives no meaning.
    if (const std::string races = places_of(o.assumptions, assumption::race);
        o.verdict == verdict::refuted && !races.empty())
        fmt::print(out_, "    behind data races, whose accesses are made as relaxed atomic ones{}\n", races);
    if (const std::string races = places_of(o.assumptions, assumption::race_ignored);
        o.verdict == verdict::refuted && !races.empty())
        fmt::print(out_, "    behind data races, which are ignored{}\n", races);
    if (!o.blocked.empty() && o.verdict == verdict::verified) fmt::print(out_, "    {}\n", o.blocked);
    if (o.verdict == verdict::refuted && o.expected == verdict::refuted && !o.ok())
        fmt::print(out_, "    expected is another kind of error: {}\n",
                   fmt::join(o.what->options.errors, " or "));
    print_shown(o);
    if (o.example) print_example(o);
    if (o.verdict == verdict::verified && o.expected == verdict::refuted)
        fmt::print(out_, "    a mutant that holds proves nothing about what it leaves out\n");
    std::fflush(out_);
}

void console::print_shown(const outcome& o) const {
    for (std::size_t i = 0; i < o.shown.size(); ++i)
        fmt::print(out_, "    execution {} of {}\n{}    leaves {}\n\n", i + 1, grouped(o.result.executions),
                   columns(o.shown[i].execution, options_.verbose), final_text(o.shown[i]));
}

void console::print_example(const outcome& o) const {
    const counterexample& example = *o.example;
    fmt::print(out_, "    {}\n", painted(example.message, bold));
    if (!o.among.empty()) fmt::print(out_, "    {}\n", o.among);
    if (!o.what->unseen.empty())
        fmt::print(out_, "    {}: with it, this may be no error\n", unseen_text(*o.what));
    if (o.ok() && o.expected && !options_.verbose) return;
    for (const shown_event& e : example.events) {
        if (!e.culprit || !e.source.known()) continue;
        fmt::print(out_, "      {}:{}:  {}\n", short_path(e.source.file), e.source.line,
                   source_text(e.source));
        if (!e.callers.empty()) fmt::print(out_, "        {}\n", called_from(e.callers));
    }
    fmt::print(out_, "\n{}{}\n", columns(example, options_.verbose), stale_text(example));
    if (example.replay.size() <= longest_shown_token)
        fmt::print(out_, "    to see it again: {}{}--replay {}\n\n", options_.unfair ? "--unfair " : "",
                   o.result.error.kind == failure_kind::leak && !o.what->options.leaks ? "--leaks " : "",
                   example.replay);
    else
        fmt::print(
            out_,
            "    to see it again: --save-replay FILE writes the token ({} characters), --replay @FILE reads "
            "it\n\n",
            example.replay.size());
}

void console::summary(const std::vector<outcome>& all) const {
    std::map<std::string, std::size_t> count;
    std::uint64_t executions = 0, blocked = 0;
    double seconds = 0;
    std::set<std::string> models;
    for (const outcome& o : all) {
        ++count[phrase(o)];
        executions += o.result.executions;
        blocked += o.result.blocked;
        seconds += o.result.seconds;
        models.emplace(model_name(o.model));
    }
    std::string text, under;
    for (const auto& [what, n] : count) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", n, what);
    for (const std::string& m : models) under += (under.empty() ? "" : " and ") + m;
    fmt::print(out_, "\n{} under {}: {}, {} blocked, {}\n", text, under,
               counted(executions, "complete execution"), grouped(blocked), duration(seconds));
    std::fflush(out_);
}

} // namespace ringproof::verify
