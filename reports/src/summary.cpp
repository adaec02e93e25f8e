// SPDX-License-Identifier: Apache-2.0
#include "summary.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace ringproof::report {
namespace {

using finding = barrier_row::finding;

/// A mutant, one that leaves a barrier out.
bool is_mutant(const json& result) { return result.contains("mutant") && result["mutant"].is_string(); }

/// The column of a mutant: its model, and what kind of data it was about where that is not plain memory.
std::string column_of(const json& result) {
    const std::string model = result["model"];
    const auto weakened = result.find("weakened");
    const bool atomic = weakened != result.end() && weakened->is_object() && weakened->contains("data") &&
                        (*weakened)["data"] == "atomic";
    return atomic ? model + ", atomic data" : model;
}

/// Events of the counterexample; the more there are, the harder it is to read.
std::size_t length_of(const json& result) {
    const auto found = result.find("counterexample");
    if (found == result.end() || !found->is_object()) return std::numeric_limits<std::size_t>::max();
    return (*found)["events"].size();
}

std::vector<barrier_row> barrier_rows(const std::vector<document>& documents) {
    struct cell {
        barrier_row row;
        bool expected = true; ///< every mutant that verified was expected to
        unsigned verified = 0;
        std::size_t length = std::numeric_limits<std::size_t>::max();
        bool cited = false;
    };
    std::map<std::pair<std::string, std::string>, cell> cells;
    for (std::size_t d = 0; d < documents.size(); ++d) {
        if (documents[d].kind != document_kind::verify) continue;
        const json& results = documents[d].content.at("results");
        for (std::size_t r = 0; r < results.size(); ++r) {
            const json& result = results[r];
            if (!is_mutant(result)) continue;
            const std::string letter = result["mutant"], model = column_of(result),
                              verdict = result["verdict"];
            cell& at = cells[{letter, model}];
            at.row.letter = letter, at.row.model = model, ++at.row.mutants;
            if (verdict == "refuted") {
                ++at.row.refuted;
                if (const auto length = length_of(result); !at.cited || length < at.length)
                    at.row.document = d, at.row.result = r, at.length = length, at.cited = true;
            } else if (verdict == "verified" && result["executions"] > 0) {
                ++at.verified;
                at.expected = at.expected && result.value("expected", "verified") == "verified";
            }
        }
    }
    std::vector<barrier_row> rows;
    for (auto& [key, at] : cells) {
        if (at.row.refuted)
            at.row.found = finding::needed;
        else if (at.verified && !at.expected)
            at.row.found = finding::hole;
        else if (at.verified == at.row.mutants)
            at.row.found = finding::survived;
        rows.push_back(at.row);
    }
    return rows;
}

bool is_interrupted(const document& source) {
    const json& content = source.content;
    if (source.kind != document_kind::bench) return content.value("interrupted", false);
    const json& context = content.at("context");
    return context.contains("ringproof") && context["ringproof"].value("interrupted", false);
}

std::string joined(const std::set<std::string>& words) {
    std::string text;
    std::size_t left = words.size();
    for (const std::string& word : words) {
        text += word;
        if (--left) text += left == 1 ? " and " : ", ";
    }
    return text;
}

} // namespace

std::string_view name_of(status value) {
    switch (value) {
    case status::ok:
        return "ok";
    case status::failed:
        return "failed";
    case status::inconclusive:
        return "inconclusive";
    case status::skipped:
        return "skipped";
    case status::empty:
        return "empty";
    }
    return "failed";
}

std::string_view name_of(finding value) {
    switch (value) {
    case finding::needed:
        return "needed";
    case finding::survived:
        return "survived";
    case finding::hole:
        return "hole";
    case finding::undecided:
        return "undecided";
    }
    return "undecided";
}

unsigned long long tally::total() const {
    unsigned long long sum = 0;
    for (const auto count : of) sum += count;
    return sum;
}

/// "GCC (Debian 12.2.0-14+deb12u1) 12.2.0" is "GCC 12.2.0": its own word for itself, without who packed it.
static std::string without_vendor(std::string compiler) {
    const auto begin = compiler.find(" ("), end = compiler.find(')', begin);
    return end == std::string::npos ? compiler : compiler.erase(begin, end + 1 - begin);
}

/// A program's code names GCC, where the build names g++: one of the two is enough.
static void name_each_once(std::set<std::string>& compilers) {
    std::erase_if(compilers, [&](const std::string& name) {
        return name.starts_with("GCC ") && compilers.contains("g++ " + name.substr(4));
    });
}

summary summarize(const std::vector<document>& documents) {
    summary all;
    for (const document& source : documents)
        for (test_case& made : cases_of(source)) {
            ++all.tallies[source.kind].of[static_cast<std::size_t>(made.result)];
            if (source.kind == document_kind::verify) {
                all.models.insert(made.group);
                all.executions += made.source->value("executions", 0ULL);
                all.blocked += made.source->value("blocked", 0ULL);
            } else if (source.kind == document_kind::litmus) {
                all.iterations += made.source->value("iterations", 0ULL);
            }
            all.cases.push_back(std::move(made));
        }
    for (const document& source : documents) {
        if (const auto why = unfit(source)) all.unfit.push_back(*why);
        if (source.kind != document_kind::verify) continue;
        const json environment = source.content.value("environment", json::object());
        for (const char* key : {"program_compiler", "compiler"})
            if (const std::string compiler = environment.value(key, ""); !compiler.empty()) {
                all.compilers.insert(without_vendor(compiler));
                break;
            }
    }
    name_each_once(all.compilers);
    all.interrupted = std::any_of(documents.begin(), documents.end(), is_interrupted);
    all.barriers = barrier_rows(documents);
    all.ratios = ratio_rows(documents);
    all.collapsed = collapses(documents, all.ratios);
    all.promised = guarantees_of(documents, all.ratios);

    const tally sum = all.sum();
    if (sum[outcome::failed] || sum[outcome::error])
        all.verdict = status::failed;
    else if (sum[outcome::inconclusive] || all.interrupted)
        all.verdict = status::inconclusive;
    else if (sum[outcome::passed])
        all.verdict = status::ok;
    else if (sum[outcome::skipped])
        all.verdict = status::skipped;
    return all;
}

std::string summary::verify_line() const {
    unsigned long long hold = 0, mutants = 0;
    for (const test_case& c : cases)
        if (c.kind == document_kind::verify && c.result == outcome::passed) {
            if (c.source->value("verdict", "") == "refuted")
                ++mutants;
            else
                hold += !is_mutant(*c.source);
        }
    if (!tallies.contains(document_kind::verify)) return "nothing was model-checked";
    std::string text = counted(hold, "result") + (hold == 1 ? " is verified" : " are verified");
    if (mutants)
        text += fmt::format(" and {} {} refuted", counted(mutants, "mutant"), mutants == 1 ? "is" : "are");
    text += fmt::format(", under {}, in {}", joined(models), counted(executions, "execution"));
    // Another compiler leaves out or reads twice what this one does not: more or fewer executions, the same verdicts.
    return compilers.empty() ? text : text + " (compiled by " + joined(compilers) + ")";
}

std::string summary::litmus_line() const {
    const auto found = tallies.find(document_kind::litmus);
    if (found == tallies.end()) return "no litmus test was run";
    const tally& counts = found->second;
    const auto skipped = counts[outcome::skipped];
    std::string text = counted(counts.total() - skipped, "litmus test");
    if (skipped) text += fmt::format(" ({} more skipped)", grouped(skipped));
    if (iterations) text += fmt::format(", {} on hardware", counted(iterations, "iteration"));
    const auto bad = counts[outcome::failed] + counts[outcome::error];
    return text + (bad ? fmt::format(": {} not as the models allow", grouped(bad))
                       : std::string(": every outcome seen is one that the models allow"));
}

static std::string counts_of(const tally& t) {
    std::string text = fmt::format("{} passed, {} failed", grouped(t[outcome::passed]),
                                   grouped(t[outcome::failed] + t[outcome::error]));
    for (const outcome o : {outcome::inconclusive, outcome::skipped})
        if (t[o]) text += fmt::format(", {} {}", grouped(t[o]), name_of(o));
    return text;
}

tally summary::sum() const {
    tally all;
    for (const auto& [kind, counts] : tallies)
        for (std::size_t i = 0; i < all.of.size(); ++i) all.of[i] += counts.of[i];
    return all;
}

std::string summary::counts_line() const { return counts_of(sum()); }

std::string summary::counts_line(document_kind kind) const {
    const auto found = tallies.find(kind);
    return counts_of(found == tallies.end() ? tally{} : found->second);
}

std::string summary::headline() const {
    const tally all = sum();
    const auto done = all.total() - all[outcome::skipped]; // what was skipped is neither right nor wrong
    const auto bad = all[outcome::failed] + all[outcome::error], open = all[outcome::inconclusive];
    std::string text;
    switch (verdict) {
    case status::ok:
        return "Everything asked for holds, within the stated bounds";
    case status::failed:
        return fmt::format("{} of {} {} not as expected", grouped(bad), counted(done, "result"),
                           bad == 1 ? "is" : "are");
    case status::inconclusive:
        if (open > unfit.size())
            text =
                fmt::format("Nothing is refuted, but {} of {} {} inconclusive", grouped(open - unfit.size()),
                            counted(done, "result"), open - unfit.size() == 1 ? "is" : "are");
        if (!unfit.empty())
            text += text.empty() ? "Nothing is refuted, but the benchmarks are inconclusive"
                                 : "; the benchmarks are inconclusive";
        return text.empty() ? "Interrupted: what was done holds, but not everything was done" : text;
    case status::skipped:
        return "Everything was skipped";
    case status::empty:
        break;
    }
    return "No results";
}

json to_json(const summary& all) {
    json made{{"status", name_of(all.verdict)},   {"headline", all.headline()},
              {"verify_line", all.verify_line()}, {"litmus_line", all.litmus_line()},
              {"executions", all.executions},     {"blocked", all.blocked},
              {"iterations", all.iterations},     {"models", all.models},
              {"counts_line", all.counts_line()}, {"unfit", all.unfit},
              {"compilers", all.compilers}};
    made["tallies"] = json::object();
    for (const auto& [kind, counts] : all.tallies)
        for (const outcome o :
             {outcome::passed, outcome::failed, outcome::inconclusive, outcome::skipped, outcome::error})
            made["tallies"][std::string(name_of(kind))][std::string(name_of(o))] = counts[o];
    made["problems"] = json::array();
    for (const test_case& c : all.cases)
        if (c.result != outcome::passed && c.result != outcome::skipped)
            made["problems"].push_back({{"kind", name_of(c.kind)},
                                        {"outcome", name_of(c.result)},
                                        {"name", c.name},
                                        {"group", c.group},
                                        {"what", c.what}});
    made["barriers"] = json::array();
    for (const barrier_row& b : all.barriers)
        made["barriers"].push_back({{"letter", b.letter},
                                    {"model", b.model},
                                    {"finding", name_of(b.found)},
                                    {"refuted", b.refuted},
                                    {"mutants", b.mutants},
                                    {"document", b.document},
                                    {"result", b.result}});
    made["ratios"] = json::array();
    for (const ratio_row& r : all.ratios)
        made["ratios"].push_back({{"workload", r.workload},
                                  {"placement", r.placement},
                                  {"peer", r.peer},
                                  {"regime", r.regime},
                                  {"median", r.median},
                                  {"low", r.low},
                                  {"high", r.high},
                                  {"collapsed", r.collapsed}});
    made["collapsed"] = json::array();
    for (const collapse& c : all.collapsed)
        made["collapsed"].push_back(
            {{"workload", c.workload}, {"placement", c.placement}, {"peer", c.peer}, {"why", c.why}});
    made["guarantees"] = to_json(all.promised);
    return made;
}

} // namespace ringproof::report
