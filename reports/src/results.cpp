// SPDX-License-Identifier: Apache-2.0
#include "results.hpp"

#include "assets.hpp"

#include <ringproof/command/document.hpp>

#include <fmt/format.h>
#include <map>
#include <stdexcept>

namespace ringproof::report {
namespace {

std::string text(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

template <class Number>
Number number(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number() ? found->get<Number>() : Number{};
}

std::string schema_of(const json& content) {
    if (!content.is_object()) return {};
    if (const std::string schema = text(content, "schema"); !schema.empty()) return schema;
    // Google Benchmark's documents have no place for a schema but their context.
    if (content.contains("benchmarks") && content.contains("context")) return "ringproof-bench/1";
    return {};
}

outcome verify_outcome(const json& result, const std::string& verdict, unsigned long long executions) {
    const std::string expected = result.value("expected", "verified");
    if (verdict == "skipped") return outcome::skipped;
    if (verdict == "error") return outcome::error;
    if (verdict == "inconclusive") return outcome::inconclusive;
    // A run in which no execution was complete has shown nothing.
    if (verdict == "verified" && executions == 0) return outcome::error;
    return verdict == expected && result.value("ok", true) ? outcome::passed : outcome::failed;
}

test_case verify_case(const json& result) {
    const std::string verdict = text(result, "verdict");
    const auto executions = number<unsigned long long>(result, "executions");
    test_case made{document_kind::verify,
                   verify_outcome(result, verdict, executions),
                   text(result, "name"),
                   text(result, "model"),
                   {},
                   text(result, "file"),
                   number<long>(result, "line"),
                   number<double>(result, "seconds"),
                   &result};
    made.what = fmt::format("{} under {}: {}", verdict, made.group, counted(executions, "execution"));
    if (const auto blocked = number<unsigned long long>(result, "blocked"))
        made.what += fmt::format(", {} blocked", grouped(blocked));
    if (result.contains("bounds") && result["bounds"].is_object() && !result["bounds"].empty()) {
        std::string bounds;
        for (const auto& [key, value] : result["bounds"].items())
            bounds += (bounds.empty() ? "" : ", ") + key + " " +
                      value.dump(-1, ' ', false, json::error_handler_t::replace);
        made.what += fmt::format(", bounds: {}", bounds);
    }
    if (verdict == "verified" && executions == 0)
        made.what += " (no execution was complete: nothing was shown)";
    if (result.value("expected", "verified") == "refuted" && verdict == "verified")
        made.what += " (a counterexample was expected: a scenario is missing, or the barrier is over-strong)";
    else if (made.result == outcome::failed && verdict == "verified")
        made.what += " (but not accepted: see its coverage)";
    if (const auto found = result.find("counterexample"); found != result.end() && found->is_object())
        made.what += fmt::format("; {}: {}", text(*found, "kind"), text(*found, "message"));
    if (const std::string message = text(result, "message");
        !message.empty() && made.what.find(message) == std::string::npos)
        made.what += "; " + message;
    return made;
}

test_case litmus_case(const json& result) {
    const std::string verdict = text(result, "verdict");
    const std::string engine = text(result, "engine"), model = text(result, "model");
    outcome value = outcome::passed;
    if (verdict == "skipped")
        value = outcome::skipped;
    else if (verdict == "error")
        value = outcome::error;
    else if (verdict == "inconclusive")
        value = outcome::inconclusive;
    else if (!result.value("ok", true))
        value = outcome::failed;

    test_case made{document_kind::litmus,
                   value,
                   text(result, "name"),
                   engine,
                   {},
                   text(result, "file"),
                   number<long>(result, "line"),
                   number<double>(result, "seconds"),
                   &result};
    if (!model.empty()) made.group += (made.group.empty() ? "" : "/") + model;
    if (made.group.empty()) made.group = "litmus";
    const std::string observation = text(result, "observation");
    made.what = observation.empty() ? (verdict.empty() ? "no observation" : verdict)
                                    : fmt::format("{}: {} with, {} without", observation,
                                                  grouped(number<unsigned long long>(result, "positive")),
                                                  grouped(number<unsigned long long>(result, "negative")));
    if (const std::string condition = text(result, "condition"); !condition.empty())
        made.what += fmt::format("; {}", condition);
    if (result.contains("forbidden") && result["forbidden"].is_array())
        for (const json& state : result["forbidden"])
            if (state.is_string()) made.what += fmt::format("; seen: {}", state.get<std::string>());
    if (value == outcome::failed && !model.empty())
        made.what += fmt::format("; {} does not allow what was seen", model);
    if (const std::string message = text(result, "message"); !message.empty()) made.what += "; " + message;
    return made;
}

double seconds_of(const json& benchmark) {
    const std::string unit = benchmark.value("time_unit", "ns");
    const double scale = unit == "s" ? 1 : unit == "ms" ? 1e-3 : unit == "us" ? 1e-6 : 1e-9;
    return number<double>(benchmark, "real_time") * scale *
           static_cast<double>(number<long long>(benchmark, "iterations"));
}

test_case bench_case(const json& result) {
    const bool broken = result.value("error_occurred", false);
    const std::string verdict = text(result, "verdict");
    // A peer that comes to a standstill, or that cannot be measured here, is no fault of anything of ours.
    const bool excused = verdict == "collapsed" || verdict == "skipped" || verdict == "not measured";
    test_case made{document_kind::bench,
                   !broken   ? outcome::passed
                   : excused ? outcome::skipped
                             : outcome::error,
                   text(result, "name"),
                   {},
                   {},
                   {},
                   0,
                   seconds_of(result),
                   &result};
    if (broken)
        made.what = (excused ? "" : "error: ") + text(result, "error_message");
    else if (const double rate = number<double>(result, "items_per_second"); rate > 0)
        made.what = fmt::format("{:.4g} items/s", rate);
    else
        made.what =
            fmt::format("{:.4g} {}", number<double>(result, "real_time"), result.value("time_unit", "ns"));
    return made;
}

} // namespace

std::string_view name_of(document_kind kind) {
    return kind == document_kind::verify ? "verify" : kind == document_kind::litmus ? "litmus" : "bench";
}

std::string_view name_of(outcome value) {
    switch (value) {
    case outcome::passed:
        return "passed";
    case outcome::failed:
        return "failed";
    case outcome::inconclusive:
        return "inconclusive";
    case outcome::skipped:
        return "skipped";
    case outcome::error:
        return "error";
    }
    return "error";
}

document accept(std::string path, json content) {
    const std::string schema = schema_of(content);
    const auto major = schema.substr(0, schema.find('/'));
    document made{std::move(path), document_kind::verify, std::move(content)};
    std::string_view rules;
    if (major == "ringproof-verify")
        rules = assets::verify_schema;
    else if (major == "ringproof-litmus")
        made.kind = document_kind::litmus, rules = assets::litmus_schema;
    else if (major == "ringproof-bench")
        made.kind = document_kind::bench, rules = assets::bench_schema;
    else if (schema.empty())
        throw std::runtime_error(made.path + ": no result document: it names no \"schema\" and is not "
                                             "Google Benchmark's JSON either");
    else
        throw std::runtime_error(fmt::format("{}: /schema is \"{}\", must be one of ringproof-verify/1, "
                                             "ringproof-litmus/1, ringproof-bench/1",
                                             made.path, schema));
    const auto found = validate(json::parse(rules), made.content);
    std::string lines;
    for (const violation& v : found)
        lines += fmt::format("{}{}: {} {}", lines.empty() ? "" : "\n", made.path,
                             v.where.empty() ? "the document" : v.where, v.what);
    if (!found.empty()) throw std::runtime_error(lines);
    return made;
}

document load(const std::string& path) { return accept(path, command::read_document(path)); }

std::optional<std::string> unfit(const document& source) {
    if (source.kind != document_kind::bench) return std::nullopt;
    const json& context = source.content.at("context");
    if (const auto head = context.find("ringproof"); head != context.end() && head->contains("fit")) {
        if (head->at("fit") == true) return std::nullopt;
        const json about = head->value("fitness", json::object());
        return about.value("text", "most measurements were disturbed");
    }
    // Results from before runs said so themselves.
    unsigned long long taken = 0, unsteady = 0;
    for (const json& b : source.content.at("benchmarks")) {
        if (b.value("run_type", "iteration") != "iteration" || !b.contains("steady")) continue;
        const std::string verdict = text(b, "verdict");
        if (verdict == "collapsed" || verdict == "skipped" || verdict == "error") continue;
        ++taken;
        unsteady += !b.value("steady", true) || verdict == "not measured";
    }
    if (2 * unsteady <= taken) return std::nullopt;
    return fmt::format("{} of {} measurements were disturbed", grouped(unsteady), grouped(taken));
}

std::optional<test_case> case_of(document_kind kind, const json& result) {
    if (kind == document_kind::verify) return verify_case(result);
    if (kind == document_kind::litmus) return litmus_case(result);
    if (result.value("run_type", "iteration") != "iteration") return std::nullopt;
    return bench_case(result);
}

std::vector<test_case> cases_of(const document& source) {
    const bool bench = source.kind == document_kind::bench;
    std::vector<test_case> cases;
    std::map<std::string, std::size_t> known;
    for (const json& result : source.content.at(bench ? "benchmarks" : "results")) {
        auto made = case_of(source.kind, result);
        if (!made) continue;
        if (bench) {
            const auto [at, first] = known.emplace(made->name, cases.size());
            if (!first) {
                test_case& before = cases[at->second];
                const double seconds = before.seconds + made->seconds;
                const bool worse = before.result == outcome::passed
                                       ? made->result != outcome::passed
                                       : before.result == outcome::skipped && made->result == outcome::error;
                if (worse) before = *made;
                before.seconds = seconds;
                continue;
            }
        }
        cases.push_back(std::move(*made));
    }
    if (const auto why = unfit(source))
        cases.push_back({document_kind::bench,
                         outcome::inconclusive,
                         "fitness of the machine",
                         {},
                         *why + ". Do not rely on these figures.",
                         {},
                         0,
                         0,
                         &source.content.at("context")});
    return cases;
}

std::string grouped(unsigned long long number) {
    std::string digits = std::to_string(number);
    for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
        digits.insert(static_cast<std::size_t>(at), " ");
    return digits;
}

std::string counted(unsigned long long number, std::string_view noun) {
    return fmt::format("{} {}{}", grouped(number), noun, number == 1 ? "" : "s");
}

} // namespace ringproof::report
