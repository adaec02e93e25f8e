// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/mistyped.hpp>
#include <ringproof/command/option_table.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace ringproof::silicon::a64 {
namespace {

void add_program(CLI::App& app, options& o) {
    app.add_option("FILE", o.order.files, "the program's sources, in C or C++")->required();
    app.add_option(
           "--cc", o.order.compiler,
           "the compiler with its first flags, such as \"clang++ --target=aarch64-linux-gnu\"; default: "
           "aarch64-linux-gnu-g++, or -gcc for C")
        ->type_name("CC");
    app.add_flag("--lse", o.order.lse,
                 "where the compiler leaves it to the machine, take the atomic instructions of Armv8.1, not "
                 "exclusives");
    app.add_flag("--keep-ndebug", o.order.keep_ndebug, "leave assert() out where the flags define NDEBUG");
    app.add_option("--expect", o.expect, "what the verdict is to be; default: verified")
        ->type_name("VERDICT")
        ->check(CLI::IsMember({"verified", "refuted"}));
    app.add_option("--liveness", o.liveness,
                   "error: a thread that waits for ever is an error, the default; ignore: it is none")
        ->type_name("WHAT")
        ->check(CLI::IsMember({"error", "ignore"}));
    app.add_flag(
           "--spurious{always}", o.spurious,
           "explore spurious wake-ups and failures of store-exclusives without a bound; default: as far as "
           "the program can tell, a few in a row\n--spurious=never: none")
        ->type_name("")
        ->check(CLI::IsMember({"always", "never"}));
}

void add_search(CLI::App& app, options& o) {
    app.add_flag(
        "--weaken", o.weaken,
        "weaken one ordering instruction at a time (LDAR to LDR, STLR to STR, DMB to nothing), and say "
        "which are needed");
    app.add_option("--time", o.seconds, "stop after S seconds")->type_name("S")->check(CLI::PositiveNumber);
    app.add_flag("--quick", o.quick, "the same as --time 5, unless --time is given");
    app.add_option("--jobs,-j", o.jobs, "search with N processes; default: 1")
        ->type_name("N")
        ->check(CLI::Range(1, 256));
    app.add_option("--checkpoint", o.checkpoint,
                   "write a search that a limit or an interrupt ended to FILE, for --resume")
        ->type_name("FILE");
    app.add_option("--resume", o.resume,
                   "continue the search of a checkpoint that the same program has written")
        ->type_name("FILE");
    app.add_option("--max-executions", o.executions, "stop after N complete executions")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    app.add_option("--max-instructions", o.limits.instructions, "stop a thread after N instructions")
        ->type_name("N")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_flag(
        "--estimate", o.estimate,
        "only estimate how many executions there are and how long they take, within --time S; default: 3 s");
    app.add_option("--random", o.random, "run N random executions instead of all: refuted or inconclusive")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    app.add_option("--seed", o.seed, "random seed for --random and --estimate; default: 1")->type_name("N");
    app.add_option("--show-executions", o.shown, "print the first N complete executions; default: 100")
        ->type_name("N")
        ->expected(0, 1)
        ->default_str("100");
    app.add_flag("--shortest", o.shortest,
                 "go on after an error, and show the shortest of the executions that fail");
    app.add_option("--missing", o.missing,
                   "look for S seconds for the orders that a counterexample lacks; default: 3, and 0 with "
                   "--expect refuted")
        ->type_name("S")
        ->check(CLI::NonNegativeNumber);
    app.add_option("--save-replay", o.save_replay,
                   "write the token of the counterexample to FILE, for --replay @FILE")
        ->type_name("FILE");
    app.add_option("--replay", o.replay, "run the one execution of a counterexample, and show it")
        ->type_name("TOKEN|@FILE");
}

void add_output(CLI::App& app, options& o) {
    app.add_option("--json", o.json_file,
                   "write the result as JSON; - is standard output, which is also the default")
        ->type_name("FILE")
        ->expected(0, 1)
        ->default_str("-");
    app.add_option("--junit", o.reports.junit, "write the result as JUnit XML, for a CI system")
        ->type_name("FILE");
    app.add_option("--sarif", o.reports.sarif, "write the finding as SARIF, for code scanning")
        ->type_name("FILE");
    app.add_option("--html", o.reports.html, "write a page with the result")->type_name("FILE");
    app.add_option("--markdown", o.reports.markdown,
                   "write a summary as Markdown, as for a job's summary page")
        ->type_name("FILE");
    app.add_option(
           "--annotations", o.reports.annotations,
           "write the finding as a workflow command of GitHub, which shows it at its line; - is standard "
           "output")
        ->type_name("FILE");
    app.add_option("--code-quality", o.reports.code_quality,
                   "write the finding as GitLab's code quality report")
        ->type_name("FILE");
    app.add_option("--color", o.color, "accepted as by other verbs; this one prints no colors")
        ->type_name("auto|always|never")
        ->check(CLI::IsMember({"auto", "always", "never"}));
    app.add_flag("--quiet", o.quiet, "print the verdict only if it is not as expected");
    app.add_flag("--verbose", o.verbose,
                 "accepted as by other verbs; counterexamples are always printed in full");
}

/// What excludes what.
std::string conflict(const options& o) {
    const int how = o.weaken + o.estimate + (o.random > 0) + !o.replay.empty();
    if (how > 1) return "--weaken, --estimate, --random and --replay exclude each other: choose one";
    if (o.weaken && (o.executions > 0 || o.shortest || o.shown > 0 || !o.save_replay.empty()))
        return "--weaken searches many programs: --max-executions, --shortest, --show-executions and "
               "--save-replay "
               "are for one";
    if (how > 0 && (!o.checkpoint.empty() || !o.resume.empty()))
        return "--checkpoint and --resume are for one search: leave --weaken, --estimate, --random and "
               "--replay out";
    if (o.shortest && (!o.checkpoint.empty() || !o.resume.empty()))
        return "--shortest is for a search from its beginning: leave --checkpoint and --resume out";
    if (o.shown > 0 && (o.jobs > 1 || !o.resume.empty()))
        return "--show-executions is for one process from the beginning: leave --jobs and --resume out";
    return "";
}

} // namespace

std::string options::name() const { return fmt::format("{}", fmt::join(order.files, " ")); }

double options::missing_seconds() const {
    constexpr double by_default = 3;
    return missing.value_or(expect == "refuted" ? 0 : by_default);
}

bool options::output_is_taken() const {
    for (const std::string* path : {&json_file, &reports.junit, &reports.sarif, &reports.html,
                                    &reports.markdown, &reports.annotations, &reports.code_quality})
        if (*path == "-") return true;
    return false;
}

int parse(int argc, char** argv, options& o) {
    CLI::App app(
        "Explores what a program, compiled for AArch64, may do on an Armv8 machine: ringproof armv8 FILE… "
        "[OPTIONS] [-- CFLAGS]",
        "ringproof armv8");
    add_program(app, o);
    add_search(app, o);
    add_output(app, o);
    app.footer("exit codes: 0 as expected · 1 not as expected · 2 usage, or the program does not compile · 3 "
               "internal error · 4 inconclusive · 77 skipped: no compiler for AArch64 · 130 interrupted");
    command::add_common_options(app);
    std::vector<std::string> words;
    int i = 1;
    for (; i < argc && std::string_view(argv[i]) != "--"; ++i) words.emplace_back(argv[i]);
    for (++i; i < argc; ++i) o.order.flags.emplace_back(argv[i]);
    for (const std::string& word : words)
        if (const std::string why = why_refused(word); !why.empty()) {
            fmt::print(stderr, "error: {}: {}\n", word.substr(0, word.find('=')), why);
            return to_int(command::exit_code::usage);
        }
    std::reverse(words.begin(), words.end()); // as the library wants them
    try {
        app.parse(words);
    } catch (const CLI::ParseError& error) {
        return command::end_of_arguments(app, error);
    }
    if (const std::string why = conflict(o); !why.empty()) {
        fmt::print(stderr, "error: {}\n", why);
        return to_int(command::exit_code::usage);
    }
    if (!o.spurious.empty()) o.limits.ends = o.spurious == "never" ? spurious::never : spurious::always;
    constexpr double quickly = 5;
    if (o.quick && o.seconds <= 0) o.seconds = quickly;
    return -1;
}

std::vector<std::string> replay_command(const options& o) {
    std::vector<std::string> words{"ringproof", "armv8"};
    const auto add = [&](std::initializer_list<std::string> more) { words.insert(words.end(), more); };
    words.insert(words.end(), o.order.files.begin(), o.order.files.end());
    if (!o.order.compiler.empty()) add({"--cc", o.order.compiler});
    if (o.order.lse) add({"--lse"});
    if (o.order.keep_ndebug) add({"--keep-ndebug"});
    if (!o.hangs_fail()) add({"--liveness", o.liveness});
    if (!o.spurious.empty()) add({"--spurious=" + o.spurious});
    if (o.limits.instructions != program_limits{}.instructions)
        add({"--max-instructions", std::to_string(o.limits.instructions)});
    if (!o.order.flags.empty()) add({"--"});
    words.insert(words.end(), o.order.flags.begin(), o.order.flags.end());
    return words;
}

} // namespace ringproof::silicon::a64
