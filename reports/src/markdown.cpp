// SPDX-License-Identifier: Apache-2.0
#include "markdown.hpp"

#include "escape.hpp"
#include "finding.hpp"

#include <fmt/format.h>

namespace ringproof::report {
namespace {

/// The command that shows a counterexample again; empty: there is none.
std::string replay_of(const test_case& c) {
    const json* found = counterexample_of(c);
    const json command = found ? found->value("replay_command", json::array()) : json::array();
    std::string line;
    for (const json& word : command)
        if (word.is_string()) line += (line.empty() ? "" : " ") + escape_shell(word.get<std::string>());
    return line;
}

/// What was model-checked, a row each, where it is a table that one reads.
std::string checked(const summary& all) {
    constexpr unsigned long long most = 40;
    const auto found = all.tallies.find(document_kind::verify);
    if (found == all.tallies.end() || found->second.total() > most) return {};
    std::string text = "\n| checked | model | verdict | executions | seconds |\n|---|---|---|--:|--:|\n";
    for (const test_case& c : all.cases) {
        if (c.kind != document_kind::verify) continue;
        const std::string verdict = c.source->value("verdict", "");
        const bool twin = c.result == outcome::passed && verdict == "refuted";
        text +=
            fmt::format("| {} | {} | {} | {} | {:.2f} |\n", escape_markdown(c.name), escape_markdown(c.group),
                        c.result == outcome::passed ? verdict + (twin ? ", as expected" : "")
                                                    : "**" + escape_markdown(verdict) + "**",
                        grouped(c.source->value("executions", 0ULL)), c.seconds);
    }
    return text;
}

std::string problems(const summary& all) {
    std::string text;
    constexpr std::size_t most = 50, longest_command = 1000; // a comment has a size limit
    const std::vector<finding> found = findings_of(all);
    std::size_t count = 0;
    for (const test_case& c : all.cases) {
        if (c.result == outcome::passed || c.result == outcome::skipped) continue;
        if (++count > most) continue;
        text += fmt::format("- **{}** {}: {}", name_of(c.result), escape_markdown(c.name),
                            escape_markdown(c.what));
        for (const finding& f : found)
            if (f.of == &c && !f.file.empty())
                text += fmt::format(" ({}:{})", escape_markdown(f.file), f.line);
        if (const std::string replay = replay_of(c); !replay.empty() && replay.size() < longest_command)
            text += fmt::format("; again: {}", escape_markdown(replay));
        text += "\n";
    }
    if (count > most) text += fmt::format("- and {} more\n", count - most);
    return text.empty() ? text : "\n### Not as expected\n\n" + text;
}

std::string barriers(const summary& all) {
    if (all.barriers.empty()) return {};
    std::set<std::string> letters, models;
    for (const barrier_row& b : all.barriers) letters.insert(b.letter), models.insert(b.model);
    std::string text = "\n### Which barrier is needed\n\n| without |", rule = "|---|";
    for (const std::string& m : models) text += fmt::format(" {} |", escape_markdown(m)), rule += "---|";
    text += "\n" + rule + "\n";
    for (const std::string& letter : letters) {
        text += fmt::format("| {} |", letter);
        for (const std::string& m : models) {
            std::string cell = "not tried";
            for (const barrier_row& b : all.barriers) {
                if (b.letter != letter || b.model != m) continue;
                switch (b.found) {
                case barrier_row::finding::needed:
                    cell = fmt::format("needed ({} of {} refuted)", b.refuted, counted(b.mutants, "mutant"));
                    break;
                case barrier_row::finding::survived:
                    cell = "not needed";
                    break;
                case barrier_row::finding::hole:
                    cell = "**no counterexample found**";
                    break;
                case barrier_row::finding::undecided:
                    cell = "undecided";
                    break;
                }
            }
            text += fmt::format(" {} |", cell);
        }
        text += "\n";
    }
    return text;
}

std::string ratios(const summary& all) {
    if (all.ratios.empty()) return {};
    std::string text =
        "\n### Against its peers\n\nOur speed as a multiple of the peer's, in the same run and regime: above "
        "1 ours is faster.\n\n"
        "| workload | peer | placement | regime | ratio | least to most |\n|---|---|---|---|--:|--:|\n";
    for (const ratio_row& r : all.ratios)
        if (!r.collapsed)
            text +=
                fmt::format("| {} | {} | {} | {} | {:.2f} | {:.2f} to {:.2f} |\n",
                            escape_markdown(r.workload), escape_markdown(r.peer),
                            escape_markdown(r.placement), escape_markdown(r.regime), r.median, r.low, r.high);
    return text;
}

/// Apart from the others, since they have no speed that one could compare.
std::string collapsed(const summary& all) {
    if (all.collapsed.empty()) return {};
    std::string text = "\nPeers that came to a standstill here, and are in no ratio:\n\n";
    for (const collapse& c : all.collapsed)
        text += fmt::format("- {} in {}, {}: {}\n", escape_markdown(c.peer), escape_markdown(c.workload),
                            escape_markdown(c.placement), escape_markdown(c.why));
    return text;
}

/// With three digits, and no more than they are worth; no powers of ten.
std::string nanoseconds(double ns) {
    return ns < 999.5 ? fmt::format("{:.3g}", ns) : grouped(static_cast<unsigned long long>(ns + 0.5));
}

/// What the ring guarantees: the proof, and what it costs here.
std::string guaranteed(const summary& all) {
    if (all.promised.all.empty()) return {};
    std::string text =
        "\n### What the ring guarantees\n\n"
        "| guarantee | scenarios | executions | models | ns here | speed against the fastest peer (95 %) "
        "|\n|---|--:|--:|---|--:|---|\n";
    for (const guarantee& g : all.promised.all) {
        const guarantee_cost& c = g.cost;
        const std::string proof = g.scenarios.empty() ? "not checked"
                                  : g.unexpected      ? fmt::format("**{} not as expected**", g.unexpected)
                                                      : grouped(g.scenarios.size());
        text +=
            fmt::format("| {} | {} | {} | {} | {} | {} |\n", escape_markdown(g.title), proof,
                        grouped(g.executions), escape_markdown(fmt::format("{}", fmt::join(g.models, ", "))),
                        c.measured ? nanoseconds(c.ns) : "not measured",
                        c.ratio > 0 ? fmt::format("{:.2f} ({:.2f} to {:.2f}), {}", c.ratio, c.ratio_low,
                                                  c.ratio_high, escape_markdown(c.peer))
                                    : "");
    }
    return text;
}

std::string tallies(const summary& all) {
    std::string text =
        "\n| | as expected | failed | errors | inconclusive | skipped |\n|---|--:|--:|--:|--:|--:|\n";
    for (const auto& [kind, t] : all.tallies)
        text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", name_of(kind), grouped(t[outcome::passed]),
                            grouped(t[outcome::failed]), grouped(t[outcome::error]),
                            grouped(t[outcome::inconclusive]), grouped(t[outcome::skipped]));
    return all.tallies.empty() ? std::string() : text;
}

/// "Linux 6.1, x86_64 …": where each document was made.
std::string origins(const std::vector<document>& documents) {
    std::string text;
    for (const document& d : documents) {
        const json* head = &d.content;
        if (d.kind == document_kind::bench) {
            const json& context = d.content["context"];
            head = context.contains("ringproof") ? &context["ringproof"] : &context;
        }
        std::string words;
        if (const auto tool = head->find("tool"); tool != head->end() && tool->is_object())
            words += fmt::format("{} {} {}", tool->value("name", ""), tool->value("version", ""),
                                 tool->value("commit", ""));
        if (const auto env = head->find("environment"); env != head->end() && env->is_object())
            for (const char* key : {"date", "system", "cpu", "compiler"})
                if (const auto v = env->find(key); v != env->end() && v->is_string())
                    words += (words.empty() ? "" : ", ") + v->get<std::string>();
        if (!words.empty()) text += fmt::format("- {}: {}\n", name_of(d.kind), escape_markdown(words));
    }
    return text.empty() ? text : "\n### Where it was made\n\n" + text;
}

} // namespace

std::string to_markdown(const summary& all, const std::vector<document>& documents) {
    std::string text = fmt::format("## ringproof: {}\n\n", escape_markdown(all.headline()));
    if (all.tallies.contains(document_kind::verify))
        text += fmt::format("- Model checker: {}.\n", escape_markdown(all.verify_line()));
    if (all.tallies.contains(document_kind::litmus))
        text += fmt::format("- Hardware and litmus: {}.\n", escape_markdown(all.litmus_line()));
    text += fmt::format("- In all: {}.\n", all.counts_line());
    return text + tallies(all) + checked(all) + problems(all) + guaranteed(all) + barriers(all) +
           ratios(all) + collapsed(all) + origins(documents);
}

} // namespace ringproof::report
