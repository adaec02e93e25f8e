// SPDX-License-Identifier: Apache-2.0
// Reading two documents, and saying what `compare` found.
#include "compare.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <map>
#include <ringproof/command/document.hpp>
#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/file.hpp>
#include <ringproof/command/mistyped.hpp>
#include <ringproof/command/option_table.hpp>
#include <ringproof/command/typed_command.hpp>

namespace ringproof::bench {
namespace {

using command::json;

struct samples {
    std::vector<double> steady, all;
    bool limit = false;
};

/// Every repetition by name and regime, from our documents or any Google Benchmark program's.
std::map<std::string, samples> read(const std::string& path) {
    const json document = command::read_document(path);
    if (!document.is_object() || !document.contains("benchmarks") || !document["benchmarks"].is_array())
        throw command::file_error(path + ": no list of benchmarks: not a result of `ringproof bench --json`");
    std::map<std::string, samples> result;
    for (const json& b : document["benchmarks"]) {
        if (!b.is_object() || b.value("run_type", "iteration") != "iteration" ||
            b.value("error_occurred", false))
            continue;
        const std::string unit = b.value("time_unit", "ns");
        const double scale = unit == "us" ? 1e3 : unit == "ms" ? 1e6 : unit == "s" ? 1e9 : 1;
        const std::string regime = b.value("regime", "none");
        const std::string name =
            b.value("run_name", b.value("name", "?")) + (regime == "none" ? "" : "  [" + regime + "]");
        const auto add = [&](const std::string& as, double ns) {
            if (!(ns > 0)) return;
            samples& s = result[as];
            s.all.push_back(ns);
            s.limit = b.value("workload", "").starts_with("limit/");
            if (b.value("steady", true)) s.steady.push_back(ns);
        };
        add(name, b.value("real_time", 0.0) * scale);
        add(name + "  p99", b.value("p99_ns", 0.0));
    }
    return result;
}

const char* word_for(verdict v) {
    switch (v) {
    case verdict::same:
        return "";
    case verdict::faster:
        return "faster";
    case verdict::slower:
        return "slower";
    case verdict::failed:
        return "FAILED";
    case verdict::disturbed:
        return "disturbed";
    case verdict::too_few:
        return "too few repetitions";
    }
    return "";
}

std::string digits(double v) {
    return v >= 100  ? fmt::format("{:.0f}", v)
           : v >= 10 ? fmt::format("{:.1f}", v)
                     : fmt::format("{:.2f}", v);
}

json to_json(const comparison& c, const std::vector<std::string>& invocation) {
    json document = command::make_document("ringproof-bench-compare/1", invocation);
    document["failed"] = c.failed;
    document["tolerance"] = c.tolerance;
    document["machine_drift"] = c.drift ? json(*c.drift) : json(nullptr);
    for (const change& x : c.changes)
        document["results"].push_back({{"name", x.what.name},
                                       {"before_ns", median(x.what.before)},
                                       {"after_ns", median(x.what.after)},
                                       {"before_spread", summarise(x.what.before).spread()},
                                       {"after_spread", summarise(x.what.after).spread()},
                                       {"before_n", x.what.before.size()},
                                       {"after_n", x.what.after.size()},
                                       {"ratio", x.ratio},
                                       {"ratio_ci", {x.ci.low, x.ci.high}},
                                       {"speed_ratio", 1 / x.ratio},
                                       {"speed_ratio_ci", {1 / x.ci.high, 1 / x.ci.low}},
                                       {"p_adjusted", x.p},
                                       {"verdict", x.says == verdict::failed     ? "failed"
                                                   : word_for(x.says)[0] == '\0' ? "same"
                                                                                 : word_for(x.says)}});
    return document;
}

/// "10%" or "0.1"
double parse_share(const std::string& text) {
    std::size_t end = 0;
    double value = -1;
    try {
        value = std::stod(text, &end);
    } catch (const std::exception&) {
        end = std::string::npos;
    }
    if (end < text.size() && text.substr(end) == "%") value /= 100, ++end;
    if (end != text.size() || !(value >= 0) || value > 100)
        throw CLI::ValidationError("--fail-on", "'" + text + "' is no share such as 10% or 0.1");
    return value;
}

/// Which of the two runs has a repetition far above its median: a change of medians tells less there.
std::string scattered(const sample_pair& s) {
    const summary before = summarise(s.before), after = summarise(s.after);
    if (!before.scattered() && !after.scattered()) return "";
    return fmt::format("  scattered ({:.1f}x, now {:.1f}x)", before.spread(), after.spread());
}

void print(const comparison& c, bool everything) {
    std::size_t hidden = 0, disturbed = 0;
    fmt::print("{:<66} {:>9} {:>9} {:>24} {:>8}\n", "", "before ns", "after ns", "times as fast (95 %)", "p");
    for (const change& x : c.changes) {
        disturbed += x.says == verdict::disturbed;
        if (!everything &&
            (x.says == verdict::same || x.says == verdict::too_few || x.says == verdict::disturbed)) {
            ++hidden;
            continue;
        }
        fmt::print("{:<66} {:>9} {:>9} {:>24} {:>8.2g}  {}{}\n", x.what.name, digits(median(x.what.before)),
                   digits(median(x.what.after)),
                   fmt::format("{:.3f}x ({:.3f}-{:.3f})", 1 / x.ratio, 1 / x.ci.high, 1 / x.ci.low), x.p,
                   word_for(x.says), scattered(x.what));
    }
    if (hidden > disturbed)
        fmt::print("{} more show no difference beyond chance and {:.0f} %, by which the limits moved too "
                   "(--all lists "
                   "them)\n",
                   hidden - disturbed, c.tolerance * 100);
    if (disturbed > 0)
        fmt::print(
            "{} can't be compared: the machine was not left alone (--unsteady compares them all the same)\n",
            disturbed);
}

int run(const std::string& before, const std::string& after, std::optional<double> fail_on, bool everything,
        bool unsteady, const std::string& out, const std::vector<std::string>& invocation) {
    const auto first = read(before), second = read(after);
    std::vector<sample_pair> pairs;
    for (const auto& [name, x] : first)
        if (const auto y = second.find(name); y != second.end()) {
            const bool calm = !x.steady.empty() && !y->second.steady.empty();
            pairs.push_back({name, calm ? x.steady : x.all, calm ? y->second.steady : y->second.all, x.limit,
                             !calm && !unsteady});
        }
    if (pairs.empty()) {
        fmt::print(stderr, "ringproof bench compare: no benchmark is in both files in the same regime\n");
        return to_int(command::exit_code::no_match);
    }
    const comparison c = compare(pairs, fail_on);
    if (out != "-") print(c, everything);
    if (!out.empty()) command::write_document(to_json(c, invocation), out);
    const std::size_t alone = first.size() + second.size() - 2 * pairs.size();
    if (alone > 0) fmt::print(stderr, "{} more are in one file only, or in another regime there\n", alone);
    if (c.undecided()) {
        fmt::print(
            stderr,
            "too few repetitions that the machine left alone to tell anything: {} benchmarks compared at "
            "once need {} each, or compare fewer\n",
            pairs.size(), needed_repetitions(pairs.size()));
        return to_int(command::exit_code::inconclusive);
    }
    if (!c.failed && c.drift) {
        fmt::print(stderr,
                   "the machine itself changed between the runs: its limits take {:+.0f} %; code that is "
                   "slower by as much "
                   "can't be told from that\n",
                   (*c.drift - 1) * 100);
        return to_int(command::exit_code::inconclusive);
    }
    return to_int(c.failed ? command::exit_code::refuted : command::exit_code::holds);
}

} // namespace

int compare_main(int argc, char** argv) {
    CLI::App app(
        "What changed between two results of `ringproof bench --json`, and whether chance explains it",
        "ringproof bench compare");
    std::string before, after, share, out;
    bool everything = false, unsteady = false;
    app.add_option("OLD", before, "the result before, or any Google Benchmark JSON with repetitions")
        ->type_name("FILE")
        ->required();
    app.add_option("NEW", after, "the result after")->type_name("FILE")->required();
    app.add_option(
           "--fail-on", share,
           "exit with code 1 when a benchmark is slower by more than this share beyond chance, such as 10%")
        ->type_name("SHARE");
    app.add_flag("--all", everything, "list also what did not change");
    app.add_flag("--unsteady", unsteady, "compare also benchmarks all of whose measurements were disturbed");
    app.add_option("--json", out, "write the comparison as JSON; - is standard output")->type_name("FILE");
    app.footer("Statistics: Mann-Whitney by benchmark and regime, adjusted over all of them by Holm's method "
               "(5 %).\n"
               "exit codes: 0 nothing failed · 1 something is slower by more than --fail-on · 2 usage or bad "
               "input · 4 too few repetitions, or the machine changed · 5 nothing in common");
    command::add_common_options(app);
    try {
        app.parse(argc, argv);
        std::optional<double> fail_on;
        if (!share.empty()) fail_on = parse_share(share);
        return run(before, after, fail_on, everything, unsteady, out,
                   command::typed_command("bench compare", argc, argv));
    } catch (const CLI::ParseError& e) {
        return ringproof::command::end_of_arguments(app, e);
    } catch (const json::exception& e) { // a field of a type that no such document has
        throw command::file_error(e.what());
    }
}

} // namespace ringproof::bench
