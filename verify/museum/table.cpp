// SPDX-License-Identifier: Apache-2.0
#include "table.hpp"

#include "opinion.hpp"

#include <fmt/format.h>
#include <set>

namespace ringproof::verify {
namespace {

using command::json;

std::string source_of(const origin& from) {
    return from.package.empty() ? "--source " + from.source + "=DIR" : from.package + " " + from.version;
}

/// "ThreadSanitizer after 0.7 s"
std::vector<std::string> finders_of(const exhibit& one) {
    std::vector<std::string> all;
    for (const finder& other : one.found_by)
        all.push_back(fmt::format("{} after {:g} s", name_of_tool(other.tool), other.seconds));
    return all;
}

/// "refuted: data race"
std::string verdict_of(const json& result) {
    std::string text = result.value("verdict", "");
    if (result.contains("counterexample") && result["counterexample"].is_object())
        text += ": " + (result.value("ok", false) ? result["exhibit"].value("shows", "")
                                                  : result["counterexample"].value("kind", ""));
    return text;
}

void print_row(std::FILE* out, std::string_view exhibit, std::string_view edition, std::string_view model,
               std::string_view verdict, std::string_view executions, std::string_view seconds) {
    fmt::print(out, "{:<28} {:<6} {:<5} {:<25} {:>10} {:>8}\n", exhibit, edition, model, verdict, executions,
               seconds);
}

} // namespace

void print_list(const std::vector<exhibit>& all) {
    for (const exhibit& one : all) {
        std::string from = source_of(one.before.from);
        if (one.after && source_of(one.after->from) != from)
            from += ", the fix " + source_of(one.after->from);
        fmt::print("{:<28} {}\n{:<28} {}; {}\n", one.name, one.title, "", from, one.links.front());
        if (!one.found_by.empty())
            fmt::print("{:<28} also found by {}\n", "", fmt::join(finders_of(one), ", "));
    }
}

void print_heading(std::FILE* out) {
    print_row(out, "exhibit", "fix", "model", "verdict", "executions", "seconds");
}

void print_result(const json& result, std::FILE* out) {
    const bool skipped = result.value("verdict", "") == "skipped";
    print_row(out, result.at("exhibit").value("name", ""),
              result.at("exhibit").value("fixed", false) ? "after" : "before", result.value("model", ""),
              verdict_of(result), skipped ? "" : fmt::format("{}", result.value("executions", 0UL)),
              skipped ? "" : fmt::format("{:.3f}", result.value("seconds", 0.0)));
    if (skipped)
        fmt::print(out, "    {}\n", result.value("message", ""));
    else if (!result.value("ok", false))
        fmt::print(out, "    NOT AS EXPECTED ({}){}\n", result.value("expected", ""),
                   result.contains("message") ? ": " + result.value("message", "") : "");
    for (const json& opinion : result.at("exhibit").value("opinions", json::array()))
        fmt::print(out, "    {}\n", opinion_text(opinion));
}

std::string summary_of(const json& results) {
    std::set<std::string> exhibits;
    std::size_t refuted = 0, verified = 0, skipped = 0, other = 0;
    for (const json& r : results) {
        exhibits.insert(r.at("exhibit").value("name", ""));
        if (r.value("verdict", "") == "skipped")
            ++skipped;
        else if (!r.value("ok", false))
            ++other;
        else
            ++(r.at("exhibit").value("fixed", false) ? verified : refuted);
    }
    std::string text = fmt::format("{} exhibit{}: {} refuted before the fix, {} verified after it",
                                   exhibits.size(), exhibits.size() == 1 ? "" : "s", refuted, verified);
    if (skipped > 0) text += fmt::format(", {} skipped", skipped);
    if (other > 0) text += fmt::format(", {} not as expected", other);
    return text;
}

} // namespace ringproof::verify
