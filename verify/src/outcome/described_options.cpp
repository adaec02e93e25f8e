// SPDX-License-Identifier: Apache-2.0
#include "described_options.hpp"

#include "../graph/clock.hpp"

#include <ringproof/command/option_table.hpp>
#include <ringproof/verify/assumption.hpp>
#include <ringproof/verify/models.hpp>
#include <ringproof/verify/reductions.hpp>

#include <CLI/CLI.hpp>
#include <cstdlib>

namespace ringproof::verify {
namespace {

/// As CLI::PositiveNumber, which prints the largest number there is.
const CLI::Validator positive(
    [](std::string& text) {
        char* end = nullptr;
        const double value = std::strtod(text.c_str(), &end);
        return value > 0 && *end == '\0' ? std::string() : "\"" + text + "\" is not a number above 0";
    },
    "");

const CLI::Validator up_to_most_events(
    [](std::string& text) {
        const bool fits = std::strtod(text.c_str(), nullptr) <= max_events;
        return fits ? std::string() : "\"" + text + "\" is more than " + std::to_string(max_events);
    },
    "");

/// The kinds that --assume takes.
std::vector<std::string> open_kinds() {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < assumption_count; ++i) {
        const assumption_row& row = row_of(static_cast<assumption>(i));
        if (row.stands == standing::open) names.emplace_back(row.name);
    }
    return names;
}

std::vector<std::string> reduction_names() {
    std::vector<std::string> names;
    for (const named_reduction& one : named_reductions) names.emplace_back(one.name);
    return names;
}

std::vector<std::string> model_names(bool in_all_only) {
    std::vector<std::string> names;
    for (const named_model& one : named_models)
        if (one.in_all || !in_all_only) names.emplace_back(one.name);
    return names;
}

// Options, in the order of the help text.

void add_choices(CLI::App& app, command_options& o, raw_options& raw) {
    if (!o.check) {
        app.add_option("FILTER", raw.positional, "check these scenarios only; default: all")->take_all();
    }
    app.add_option("--filter", o.filters,
                   o.check ? "of a program that holds several tests (--dialect relacy, gtest, catch2), check "
                             "those that match "
                             "FILTER, repeatable"
                           : "check the scenarios that match FILTER, repeatable; the same as the argument")
        ->type_name("FILTER")
        ->expected(1)
        ->take_all();
    app.add_flag("--list", o.list,
                 o.check ? "only list the tests that the program holds (as JSON with --json)"
                         : "only list the scenarios (as JSON with --json)");
    std::vector<std::string> known = model_names(false);
    known.emplace_back("all");
    app.add_option("--model", raw.models,
                   (o.check ? "explore under this memory model, repeatable; default: rc11; all: "
                            : "explore under this memory model, repeatable; default: those that a scenario "
                              "names; all: ") +
                       CLI::detail::join(model_names(true), ", "))
        ->type_name(CLI::detail::join(known, "|"))
        ->expected(1)
        ->take_all()
        ->check(CLI::IsMember(known));
}

void add_bounds(CLI::App& app, command_options& o, raw_options& raw) {
    app.add_option("--time", o.seconds,
                   o.check ? "stop after S seconds under each model"
                           : "stop a scenario after S seconds under each model")
        ->type_name("S")
        ->check(positive);
    app.add_option("--max-executions", o.executions,
                   o.check ? "stop after N complete executions"
                           : "stop a scenario after N complete executions")
        ->type_name("N")
        ->check(positive);
    app.add_option("--max-memory", o.max_memory,
                   "stop where the search holds more than N MiB of memory; default: three quarters of what "
                   "is free")
        ->type_name("N")
        ->check(positive);
    app.add_option("--jobs,-j", o.jobs, "search with N processes; default: 1")
        ->type_name("N")
        ->check(CLI::Range(1, 256));
    app.add_option("--rounds", o.rounds,
                   "bound every loop to N iterations; reaching the bound makes the verdict inconclusive")
        ->type_name("N")
        ->check(positive);
    app.add_option("--max-events", o.max_events,
                   "stop at an execution with more than N events; default: 100000")
        ->type_name("N")
        ->check(positive)
        ->check(up_to_most_events);
    app.add_flag("--quick", raw.quick, "the same as --time 5, unless --time is given");
}

void add_ways(CLI::App& app, command_options& o) {
    app.add_flag(
        "--estimate", o.estimate,
        "only estimate how many executions there are and how long they take, within --time S; default: 3 s");
    CLI::Option* random = app.add_option("--random", o.random,
                                         "run N random executions instead of all: refuted or "
                                         "inconclusive")
                              ->type_name("N")
                              ->check(positive);
    app.add_option("--pct", o.depth,
                   "random executions by priorities that change DEPTH-1 times, as PCT does; N of --random, "
                   "or 10000")
        ->type_name("DEPTH")
        ->check(CLI::Range(1, 100));
    app.add_option("--seed", o.seed,
                   "random seed for --random, --estimate and other checkers' schedulers; default: 1")
        ->type_name("N");
    CLI::Option* checkpoint =
        app.add_option(
               "--checkpoint", o.checkpoint,
               "write the searches that a limit or an interrupt ended to FILE, for --resume; with --list "
               "all of them, none of which has begun")
            ->type_name("FILE")
            ->excludes(random)
            ->excludes("--estimate");
    app.add_option("--divide", o.divide,
                   "divide what is left of each search that is stopped, so that `ringproof split` can make N "
                   "parts of the checkpoint")
        ->type_name("N")
        ->check(CLI::Range(2, 1'000'000))
        ->needs(checkpoint);
    app.add_option(
           "--resume", o.resume,
           "continue the searches of a checkpoint that the same program has written, or a part of one")
        ->type_name("FILE")
        ->excludes(random)
        ->excludes("--estimate");
    random->excludes("--estimate");
    command::add_shard_option(
        app, o.shard,
        o.check ? "programs of a project, of the tests that a program holds, or with --weaken "
                  "of the accesses"
                : "searches (scenarios, each under each model), or with --weaken of the "
                  "accesses")
        ->excludes("--estimate")
        ->excludes("--resume")
        ->excludes("--list");
    CLI::Option* shown =
        app.add_option("--show-executions", o.shown, "print the first N complete executions; default: 100")
            ->type_name("[N]")
            ->expected(0, 1)
            ->default_str("100")
            ->check(positive);
    shown->excludes("--jobs");
    app.add_flag("--shortest", o.shortest,
                 "go on after an error, and show the shortest of the executions that fail")
        ->excludes(random)
        ->excludes("--estimate")
        ->excludes("--checkpoint")
        ->excludes("--resume");
}

void add_what_may_happen(CLI::App& app, command_options& o, raw_options& raw) {
    app.add_flag("--spurious{always}", o.spurious,
                 "explore spurious failures of weak compare-exchanges and spurious wake-ups without a bound; "
                 "default: as far as the program can tell, a few in a row\n"
                 "--spurious=never: none")
        ->type_name("")
        ->check(CLI::IsMember({"always", "never"}));
    app.add_flag(
           "--reuse-addresses{always}", o.reuse,
           "let each allocation get the address of freed memory; default: where a pointer to such memory is "
           "left\n"
           "--reuse-addresses=never: no address comes twice")
        ->type_name("")
        ->check(CLI::IsMember({"always", "never"}));
    app.add_option(
           "--races", raw.races,
           "error: stop at a data race, the default; continue: make the plain accesses that race as relaxed "
           "atomic ones, and look for what is wrong behind the race (implies --assume race); ignore: do not "
           "report "
           "races, and try one value of each plain access that races with another (implies --assume race and "
           "--assume race-ignored)")
        ->type_name("error|continue|ignore")
        ->check(CLI::IsMember({"error", "continue", "ignore"}));
    app.add_option(
           "--liveness", raw.liveness,
           "error: a thread that waits for ever is an error, the default; ignore: it is none (implies "
           "--assume liveness)")
        ->type_name("error|ignore")
        ->check(CLI::IsMember({"error", "ignore"}));
    app.add_flag("--leaks", o.leaks, "report memory that a complete execution has not freed as an error");
    app.add_flag("--unfair", o.unfair,
                 "report a loop that waits for another thread without yielding as an error: a scheduler may "
                 "never run that thread; loops that write in each round are not judged");
    app.add_flag("--check-determinism", o.check_determinism,
                 "search twice, and report an error if the program depends on something that the checker "
                 "does not control");
    app.add_option("--assume", o.assumed,
                   "accept open assumptions of this kind, repeatable: the verdict names them and is "
                   "not inconclusive because of them")
        ->type_name("KIND")
        ->expected(1)
        ->take_all()
        ->check(CLI::IsMember(open_kinds()));
    app.add_option("--no-reduction", o.not_reduced,
                   "switch off this reduction of the search, repeatable; loops may then need --rounds")
        ->type_name("NAME[,NAME]")
        ->delimiter(',')
        ->expected(1)
        ->take_all()
        ->check(CLI::IsMember(reduction_names()))
        ->excludes("--checkpoint")
        ->excludes("--resume");
    app.add_flag_callback(
           "--exact",
           [&o] {
               o.not_reduced.insert(o.not_reduced.end(), {"barrier", "symmetry", "commuting-update"});
           },
           "count every execution, as the published algorithm does: --no-reduction "
           "barrier,symmetry,commuting-update")
        ->excludes("--checkpoint")
        ->excludes("--resume");
    app.add_flag("--list-assumptions", raw.list_assumptions,
                 "list the kinds of assumptions that a verdict may rely on, as a table in Markdown");
}

void add_opinions(CLI::App& app, command_options& o) {
    if (o.check) return;
    CLI::Option* asked = app.add_option("--second-opinion", o.second_opinions,
                                        "ask these checkers about the scenarios too: relacy, cdschecker, "
                                        "genmc, tsan; TOOL=PROGRAM asks "
                                        "this program")
                             ->type_name("TOOL[,TOOL]")
                             ->delimiter(',')
                             ->expected(1)
                             ->allow_extra_args(false)
                             ->take_all()
                             ->excludes("--estimate");
    app.add_option("--opinion-scheduler", o.opinion_schedulers,
                   "let those checkers use these schedulers; default: the first that a checker has")
        ->type_name("full|context-bound|random|stress")
        ->delimiter(',')
        ->expected(1)
        ->allow_extra_args(false)
        ->take_all()
        ->check(CLI::IsMember({"full", "context-bound", "random", "stress"}))
        ->needs(asked);
    app.add_option("--opinion-time", o.opinion_seconds,
                   "stop another checker after S seconds for each scenario and scheduler; default: 10")
        ->type_name("S")
        ->check(positive)
        ->needs(asked);
    app.add_option("--opinion-runs", o.opinion_runs,
                   "stop another checker's random scheduler after N runs; default: 100000")
        ->type_name("N")
        ->check(positive)
        ->needs(asked);
    app.add_option("--opinion-context-bound", o.opinion_context_bound,
                   "bound the preemptions of a run to N with the scheduler context-bound; default: 2")
        ->type_name("N")
        ->needs(asked);
}

void add_for_check(CLI::App& app, command_options& o, raw_options& raw) {
    if (!o.check) return;
    app.add_flag("--keep-ndebug", o.keep_ndebug,
                 "respect -DNDEBUG in CFLAGS; by default it is undefined, because assert() is the property");
    app.add_option("--exit-code", o.exit_code,
                   "require that each execution ends with exit code N; default: 0")
        ->type_name("N")
        ->check(CLI::Range(0, 255));
    app.add_flag("--trust-assembly", raw.trust_assembly,
                 "assume that inline assembly does not access shared memory; the same as --assume assembly");
    app.add_option("--expect", o.expect,
                   "require this verdict; default: verified. For a broken twin: refuted")
        ->type_name("verified|refuted")
        ->check(CLI::IsMember({"verified", "refuted"}));
    app.add_option("--dialect", o.dialect,
                   "take the program for one of this checker's or test framework's: each of its tests is "
                   "checked by itself, and its headers are found (relacy/relacy.hpp, or librace.h, "
                   "model-assert.h and threads.h, gtest/gtest.h, or catch2/catch.hpp)")
        ->type_name("relacy|cdschecker|gtest|catch2")
        ->check(CLI::IsMember({"relacy", "cdschecker", "gtest", "catch2"}));
    // Told to the compiler, before the program that this parses the options of is made.
    app.add_option_function<std::string>(
           "--with", [](const std::string&) {},
           "run a second program beside the first, a process of its own: this source has its main(), "
           "or belongs to it; repeatable. They share what both open by shm_open")
        ->type_name("FILE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    for (const char* const framework : {"gtest", "catch2"})
        app.add_flag_callback(
            std::string("--") + framework, [&o, framework] { o.dialect = framework; },
            std::string("the same as --dialect ") + framework);
    app.add_option(
           "--compile-commands", o.compile_commands,
           "take each source's compiler flags from this compile_commands.json, or the one in this folder")
        ->type_name("FILE|DIR");
    app.add_option(
           "--project", o.project,
           "check the programs that this file lists; default without FILE: ringproof.toml in the working "
           "folder or above")
        ->type_name("TOML");
    app.add_option("--program", o.programs, "check only this program of the project, repeatable")
        ->type_name("NAME")
        ->expected(1)
        ->take_all();
    app.add_option("--budget", o.budget,
                   "divide S seconds among the programs of the project; it replaces the file's own budget")
        ->type_name("S")
        ->check(positive);
}

void add_outputs(CLI::App& app, command_options& o, raw_options& raw) {
    app.add_option("--save-replay", o.save_replay,
                   "write the token of the first counterexample to FILE, for --replay @FILE")
        ->type_name("FILE");
    app.add_flag("--weaken{sites}", o.weaken,
                 "report which memory orders are needed: try each executed one a step weaker\n"
                 "--weaken=optimize: the weakest orders that still hold, from all seq_cst down")
        ->type_name("")
        ->check(CLI::IsMember({"sites", "optimize"}))
        ->excludes("--random")
        ->excludes("--estimate")
        ->excludes("--checkpoint")
        ->excludes("--resume");
    app.add_option("--replay", o.replay, "run the one execution of a counterexample, and show it")
        ->type_name("TOKEN|@FILE");
    app.add_option("--json", o.json,
                   "write the results as JSON; - is standard output, which is also the default")
        ->type_name("FILE")
        ->expected(0, 1)
        ->default_str("-");
    app.add_option("--junit", o.junit, "write the results as JUnit XML, for a CI system")->type_name("FILE");
    app.add_option("--sarif", o.sarif, "write the findings as SARIF, for code scanning")->type_name("FILE");
    app.add_option("--html", o.html, "write a page with the results")->type_name("FILE");
    app.add_option("--markdown", o.markdown, "write a summary as Markdown, as for a job's summary page")
        ->type_name("FILE");
    app.add_option(
           "--annotations", o.annotations,
           "write each finding as a workflow command of GitHub, which shows it at its line; - is standard "
           "output")
        ->type_name("FILE");
    app.add_option("--code-quality", o.code_quality, "write the findings as GitLab's code quality report")
        ->type_name("FILE");
    app.add_option("--color", raw.color, "color the output")
        ->type_name("auto|always|never")
        ->check(CLI::IsMember({"auto", "always", "never"}));
    app.add_flag("--quiet", o.quiet, "print only findings and the summary");
    app.add_flag("--verbose", o.verbose,
                 "print counterexamples of mutants too, and in full length, and what the program prints");
}

} // namespace

void describe_options(CLI::App& app, command_options& o, raw_options& raw) {
    add_choices(app, o, raw);
    add_bounds(app, o, raw);
    add_ways(app, o);
    add_what_may_happen(app, o, raw);
    add_opinions(app, o);
    add_for_check(app, o, raw);
    add_outputs(app, o, raw);
}

std::vector<std::string> known_models() { return model_names(false); }
std::vector<std::string> known_assumptions() { return open_kinds(); }

} // namespace ringproof::verify
