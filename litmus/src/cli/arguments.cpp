// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"

#include <ringproof/command/option_table.hpp>

#include <CLI/CLI.hpp>

namespace ringproof::litmus {
namespace {

void describe_compilation(CLI::App& app, arguments& a) {
    app.add_option(
           "--compile", a.compilers,
           "compile C tests with this command (a compiler and its flags, in quotes), simulate the code for "
           "its "
           "machine (aarch64, riscv64, x86_64), and compare the outcomes with those that the source allows; "
           "repeatable")
        ->type_name("COMMAND")
        ->allow_extra_args(false)
        ->excludes("--hardware");
}

void describe_simulation(CLI::App& app, arguments& a) {
    app.add_option("-m,--model,--cat", a.models,
                   "simulate under this model: sc, x86-tso, aarch64, riscv, rc11, c11, lkmm, or a .cat file; "
                   "repeatable; default: the model of the test's dialect. With --hardware or --compile: "
                   "compare with it")
        ->type_name("MODEL")
        ->allow_extra_args(false);
    app.add_option("-I", a.folders, "search this folder for files that models include")
        ->type_name("DIR")
        ->allow_extra_args(false);
    app.add_option("--bell", a.bells, "run this .bell file before the model")
        ->type_name("FILE")
        ->allow_extra_args(false);
    app.add_option("--macros", a.macros,
                   "read what functions of C tests do from this .def file, instead of what is built in")
        ->type_name("FILE")
        ->allow_extra_args(false);
    app.add_option("--variant", a.variants, "set a name that models test for (if \"NAME\" ...)")
        ->type_name("NAME")
        ->allow_extra_args(false);
    app.add_option("--skip-checks", a.skipped_checks, "leave out the model's checks of this name")
        ->type_name("NAME")
        ->allow_extra_args(false);
    app.add_flag(
        "--whole-executions", a.whole_executions,
        "ask the model about whole executions only, never about parts (slower; the outcomes are the same)");
    app.add_flag(
        "--why", a.why,
        "of an outcome that the model forbids, print the check that fails and the cycle that it finds");
    app.add_option("--show", a.show,
                   "graph: draw an execution of each test, one that satisfies its condition if there is one "
                   "(SVG and JSON)")
        ->check(CLI::IsMember({"graph"}));
    app.add_option("--executions", a.executions, "draw N executions of each test")
        ->type_name("N")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    app.add_option("-o,--output", a.graphs, "write what --show draws into this folder")
        ->type_name("DIR")
        ->capture_default_str();
    app.add_option(
           "--engine", a.engine,
           "enumerate executions under a model in the cat language; or explore: run the threads step by "
           "step (tests in AArch64 and RISCV under the model of their dialect)")
        ->check(CLI::IsMember({"enumerate", "explore"}))
        ->capture_default_str();
    app.add_option("--unroll", a.unroll, "run loops at most N times")
        ->type_name("N")
        ->check(CLI::Range(0, 1000))
        ->capture_default_str();
}

void describe_hardware(CLI::App& app, arguments& a) {
    app.add_flag("--hardware", a.hardware, "run the tests on this machine's processors instead");
    app.add_option("-r,--runs", a.run.runs, "run N batches of each test")
        ->type_name("N")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("-s,--size", a.run.size, "put N instances of the test in a batch")
        ->type_name("N")
        ->check(CLI::Range(1u, 10'000'000u))
        ->capture_default_str();
    app.add_option("--time", a.run.seconds,
                   "with --hardware: run each test for S seconds, whatever --runs says; simulated: "
                   "give up on a test after S seconds (inconclusive)")
        ->type_name("S")
        ->check(CLI::PositiveNumber);
    app.add_option("--seed", a.run.seed, "random seed for the order of instances")->capture_default_str();
    app.add_option("--affinity", a.pinning,
                   "choose CPUs: none (the scheduler does), incr (by number), siblings (of one core), l3 "
                   "(cores below one L3), package (different packages)")
        ->check(CLI::IsMember({"none", "incr", "siblings", "l3", "package"}))
        ->capture_default_str();
    app.add_option("--sync", a.sync,
                   "start the threads together: none (once a batch), user (they meet), fence (and drain "
                   "their stores), timebase (at one value of the clock)")
        ->check(CLI::IsMember({"none", "user", "fence", "timebase"}))
        ->capture_default_str();
    app.add_option("--group", a.run.group, "run N instances between two meetings; 0 chooses")
        ->capture_default_str();
    app.add_option("--stride", a.run.stride, "lay an instance at every N-th place")
        ->check(CLI::Range(1u, 4096u))
        ->capture_default_str();
    app.add_flag("--no-shuffle", a.no_shuffle, "run the instances in the order of their addresses");
    app.add_flag("--no-touch", a.no_touch, "do not load beforehand what the threads will load");
    app.add_flag("--flush", a.run.flush, "flush from the caches beforehand what the threads will store to");
    CLI::Option* const tune = app.add_flag(
        "--tune", a.tune,
        "try many settings first, and run with those that show most often per second what the test asks "
        "for; default: try seven for 10 ms each, unless one of these settings is given");
    app.add_flag("--no-tune", a.no_tune, "try no settings: run with those given and the usual ones")
        ->excludes(tune);
    app.add_option("--tune-time", a.tune_seconds, "with --tune: try each setting for S seconds")
        ->type_name("S")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--cxx", a.compiler, "compile the generated code with this; default: $CXX or c++")
        ->type_name("COMPILER");
}

void describe_opinions(CLI::App& app, arguments& a) {
    CLI::Option* const asked = app.add_option("--second-opinion", a.second_opinions,
                                              "ask other simulators about the same tests, and compare: "
                                              "herd7; TOOL=PROGRAM asks this program")
                                   ->type_name("TOOL[,TOOL]")
                                   ->delimiter(',')
                                   ->expected(1)
                                   ->allow_extra_args(false)
                                   ->take_all()
                                   ->excludes("--hardware")
                                   ->excludes("--compile");
    app.add_option("--opinion-time", a.opinion_seconds,
                   "stop another simulator after S seconds for each test")
        ->type_name("S")
        ->check(CLI::PositiveNumber)
        ->capture_default_str()
        ->needs(asked);
}

} // namespace

void describe(CLI::App& app, arguments& a) {
    app.add_option(
           "FILE-or-DIR", a.paths,
           "tests, or folders to search for *.litmus; - is standard input, @FILE a list of them, one a line")
        ->required();
    describe_simulation(app, a);
    describe_hardware(app, a);
    describe_compilation(app, a);
    describe_opinions(app, a);
    app.add_option("--jobs", a.jobs, "simulate N tests at once; --hardware runs one at a time")
        ->type_name("N");
    command::add_shard_option(app, a.shard, "tests")->excludes("--hardware")->excludes("--second-opinion");
    app.add_option("--json", a.json,
                   "write the results as JSON; - is standard output, and then nothing else is written there")
        ->type_name("FILE");
    app.add_flag("--quiet", a.quiet, "show no progress");
    command::add_common_options(app,
                                {{"generate", "write litmus tests, each made from a cycle of relations"},
                                 {"barriers", "tell which of the ring's barriers is needed on which machine"},
                                 {"witness", "compare the simulator with the checker of compiled code"}});
}

tuning tuning_of(const CLI::App& app, const arguments& a) {
    if (a.tune) return tuning::thorough;
    for (const char* setting : {"--size", "--affinity", "--sync", "--group", "--stride", "--no-shuffle",
                                "--no-touch", "--flush", "--no-tune"})
        if (app.count(setting) != 0) return tuning::none;
    return tuning::brief;
}

} // namespace ringproof::litmus
