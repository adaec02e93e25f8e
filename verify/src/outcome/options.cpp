// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include "described_options.hpp"

#include <ringproof/command/document.hpp>
#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/mistyped.hpp>
#include <ringproof/command/option_table.hpp>
#include <ringproof/verify/assumption.hpp>
#include <ringproof/verify/models.hpp>
#include <ringproof/verify/reductions.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <unistd.h>

namespace ringproof::verify {
namespace {

constexpr double quick_seconds = 5;

const char* scenarios_footer =
    "FILTER is part of a scenario's name, a pattern with * and ?, or =NAME for exactly that name; ~FILTER "
    "leaves out.\n"
    "exit codes: 0 everything holds, and every mutant is refuted · 1 refuted · 2 usage · 3 internal "
    "error · 4 inconclusive: a bound ended the search · 5 nothing matched · 130 interrupted";
const char* check_footer =
    "The program's property is its assert(); data races, deadlocks, wild accesses and the like are found "
    "too.\n"
    "exit codes: 0 holds · 1 refuted · 2 usage, or the program does not compile · 3 internal error · "
    "4 inconclusive: a bound ended the search · 130 interrupted";

bool use_color(const std::string& when) {
    if (when != "auto") return when == "always";
    const char* no_color = std::getenv("NO_COLOR");
    const char* terminal = std::getenv("TERM");
    return !(no_color && *no_color) && isatty(STDOUT_FILENO) &&
           !(terminal && std::string_view(terminal) == "dumb");
}

/// What does not go together, as far as the library that parses cannot tell.
std::vector<const char*> contradictions(const command_options& o, const raw_options& raw) {
    const bool samples = o.random > 0 || o.estimate;
    const bool stops = !o.checkpoint.empty() || !o.resume.empty();
    const struct {
        bool asked;
        const char* message;
    } all[] = {
        {samples && o.jobs > 1, "--jobs is for searches: --random, --pct and --estimate use one process"},
        {samples && o.check_determinism, "--check-determinism is for searches"},
        {o.depth > 0 && (o.estimate || stops),
         "--pct cannot be given together with --estimate, --checkpoint or --resume"},
        {o.shard && o.weaken == "optimize",
         "--weaken=optimize weakens one access after the other: it has no shards"},
        {raw.races == "continue" && !o.weaken.empty(),
         "--races=continue and --weaken cannot be given together"},
        {raw.races == "ignore" && !o.weaken.empty(), "--races=ignore and --weaken cannot be given together: "
                                                     "a weaker order shows by the race that it lets in"},
        {o.shard && !o.second_opinions.empty(),
         "--shard and --second-opinion cannot be given together: ask for opinions about the whole"},
        {o.shortest && o.jobs > 1 && o.weaken.empty(), "--shortest uses one process"},
        {o.shown > 0 && o.estimate, "--show-executions and --estimate cannot be given together"},
    };
    std::vector<const char*> messages;
    for (const auto& one : all)
        if (one.asked) messages.push_back(one.message);
    return messages;
}

/// What options stand for.
void take(const raw_options& raw, command_options& o) {
    o.filters.insert(o.filters.end(), raw.positional.begin(), raw.positional.end());
    for (const std::string& m : raw.models) {
        for (const named_model& n : named_models)
            if ((m == n.name || (m == "all" && n.in_all)) &&
                std::find(o.models.begin(), o.models.end(), n.name) == o.models.end())
                o.models.emplace_back(n.name);
    }
    if (raw.trust_assembly) o.assumed.emplace_back(row_of(assumption::assembly).name);
    o.races_go_on = raw.races == "continue";
    o.races_ignored = raw.races == "ignore";
    if (o.races_go_on || o.races_ignored) o.assumed.emplace_back(row_of(assumption::race).name);
    if (o.races_ignored) o.assumed.emplace_back(row_of(assumption::race_ignored).name);
    o.liveness = raw.liveness != "ignore";
    if (!o.liveness) o.assumed.emplace_back(row_of(assumption::liveness).name);
    if (raw.quick && o.seconds == 0) o.seconds = quick_seconds;
    o.colored = use_color(raw.color);
}

} // namespace

parsed_command parse_command(std::string name, std::vector<std::string> arguments, bool check) {
    parsed_command parsed;
    command_options& o = parsed.options;
    o.check = check;
    CLI::App app(check
                     ? "Model-checks an unmodified C or C++ program: every execution under the memory models."
                     : "Verifies scenarios: explores every execution under the memory models.",
                 name);
    raw_options raw;
    // What a project says of a program comes first, and the command line has the last word.
    app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    describe_options(app, o, raw);
    app.footer(check ? check_footer : scenarios_footer);
    command::add_common_options(app);
    std::reverse(arguments.begin(), arguments.end()); // as CLI11 takes them
    try {
        app.parse(arguments);
    } catch (const CLI::ParseError& error) {
        parsed.exit = command::end_of_arguments(app, error);
        return parsed;
    }
    if (raw.list_assumptions) {
        std::cout << assumption_page();
        parsed.exit = to_int(command::exit_code::holds);
        return parsed;
    }
    if (app.count("--json") > 0 && o.json.empty()) o.json = "-";
    if (app.count("--show-executions") > 0 && o.shown == 0) o.shown = 100;
    if (o.depth > 0 && o.random == 0) o.random = 10'000;
    for (const char* message : contradictions(o, raw)) {
        std::cerr << "error: " << message << "\n";
        parsed.exit = to_int(command::exit_code::usage);
    }
    if (parsed.exit < 0) take(raw, o);
    return parsed;
}

} // namespace ringproof::verify
