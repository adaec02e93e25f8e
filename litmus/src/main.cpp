// SPDX-License-Identifier: Apache-2.0
// ringproof litmus: runs litmus tests and tells what came out.

#include "batch/batch.hpp"
#include "cycle/command.hpp"
#include "hardware/campaign.hpp"
#include "opinion/opinion.hpp"
#include "ring/command.hpp"

#include <ringproof/command/document.hpp>
#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/mistyped.hpp>
#include <ringproof/command/option_table.hpp>
#include <ringproof/command/progress.hpp>
#include <ringproof/command/shard.hpp>
#include <ringproof/command/typed_command.hpp>
#include <ringproof/command/verb.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <sstream>
#include <unistd.h>

namespace ringproof::litmus {
namespace {

using command::exit_code;
namespace fs = std::filesystem;

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "set by a signal handler");
void interrupt(int) { interrupted.store(true, std::memory_order_relaxed); }

struct arguments {
    std::vector<std::string> paths;
    bool hardware = false;
    run_options run;
    std::string sync = "none";
    std::string pinning = "incr";
    std::string compiler;
    std::string json;
    unsigned jobs = 1;
    std::optional<command::shard> shard;
    bool quiet = false;
    bool why = false;
    bool no_shuffle = false;
    bool no_touch = false;
    bool tune = false;
    double tune_seconds = 0.1;
    // simulator
    std::vector<std::string> models;
    std::vector<std::string> folders;
    std::vector<std::string> bells;
    std::vector<std::string> macros;
    std::string show;
    std::string graphs = "graphs";
    std::size_t executions = 1;
    std::vector<std::string> variants;
    std::vector<std::string> skipped_checks;
    bool whole_executions = false;
    int unroll = 2;
    // other simulators
    std::vector<std::string> second_opinions;
    double opinion_seconds = 10;
};

/// The paths of a list, one a line; lines that begin with # are left out, and so are empty ones.
std::vector<std::string> listed(const std::string& file) {
    std::istringstream in(read_source(file).text);
    std::vector<std::string> paths;
    for (std::string line; std::getline(in, line);) {
        while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.pop_back();
        if (!line.empty() && line[0] != '#') paths.push_back(line);
    }
    return paths;
}

/// The files named, and for a folder every .litmus below it, in order of name. `-` stays, and `@FILE` is a list,
/// which names no list.
std::vector<std::string> find_files(const std::vector<std::string>& paths, bool lists = true) {
    std::vector<std::string> files;
    for (const std::string& path : paths) {
        std::error_code error;
        if (lists && path.size() > 1 && path[0] == '@') {
            const std::vector<std::string> more = find_files(listed(path.substr(1)), false);
            files.insert(files.end(), more.begin(), more.end());
            continue;
        }
        if (!fs::is_directory(path, error)) {
            files.push_back(path);
            continue;
        }
        std::vector<std::string> found;
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path))
            if (entry.path().extension() == ".litmus" && !entry.is_directory())
                found.push_back(entry.path().string());
        std::sort(found.begin(), found.end());
        files.insert(files.end(), found.begin(), found.end());
    }
    return files;
}

/// What became of the whole: the worst of what became of each.
struct outcome {
    bool bad_input = false;
    bool refuted = false;
    bool skipped = false; ///< some test; the whole is only if none ran
    bool ran = false;
    bool internal = false;
    bool inconclusive = false;

    exit_code code() const {
        if (internal) return exit_code::internal;
        if (refuted) return exit_code::refuted;
        if (bad_input) return exit_code::usage;
        if (interrupted.load(std::memory_order_relaxed)) return exit_code::interrupted;
        if (inconclusive) return exit_code::inconclusive;
        return skipped && !ran ? exit_code::skipped : exit_code::holds;
    }
};

/// This machine's processors: what they show.
outcome run_here(const arguments& a, std::vector<std::string> files, command::json& results) {
    campaign_options o;
    o.files = std::move(files);
    o.run = a.run;
    o.compiler = a.compiler;
    o.setting.folders = a.folders;
    o.tune = a.tune ? a.tune_seconds : 0;
    o.quiet = a.quiet;
    o.print = a.json != "-";
    if (!a.models.empty()) o.model = a.models.front();
    const campaign_result r = run_campaign(o, interrupted, results);
    outcome all;
    all.ran = r.ran;
    all.skipped = r.skipped;
    all.bad_input = r.bad_input;
    all.refuted = r.refuted;
    return all;
}

/// The simulator: every execution a model allows.
outcome simulate_files(const arguments& a, std::vector<std::string> files, command::json& results) {
    batch_options o;
    o.files = std::move(files);
    o.models = a.models;
    o.macros = a.macros;
    o.graphs = a.show == "graph" ? a.executions : 0;
    o.graph_folder = a.graphs;
    o.setting.folders = a.folders;
    o.setting.libraries = a.bells;
    o.setting.variants.insert(a.variants.begin(), a.variants.end());
    o.setting.skipped_checks.insert(a.skipped_checks.begin(), a.skipped_checks.end());
    o.unroll = a.unroll;
    o.seconds = a.run.seconds;
    o.jobs = std::max(1u, a.jobs);
    o.why = a.why;
    o.whole_executions = a.whole_executions;
    command::progress progress(a.quiet);
    const batch_result r = simulate_all(
        o, interrupted,
        [&](const batch_item& item) {
            progress.clear();
            if (!item.log.empty() && a.json != "-") fmt::print("{}\n", item.log);
            if (!item.warning.empty()) fmt::print(stderr, "{}\n", item.warning);
            if (!item.error.empty()) fmt::print(stderr, "{}\n", item.error);
            progress.update(static_cast<double>(item.index + 1) / static_cast<double>(item.of), item.name);
        },
        results);
    progress.clear();
    outcome all;
    all.bad_input = r.bad_input;
    all.refuted = r.refuted;
    all.inconclusive = r.inconclusive;
    return all;
}

void describe_simulation(CLI::App& app, arguments& a) {
    app.add_option("-m,--model,--cat", a.models,
                   "simulate under this model: sc, x86-tso, aarch64, riscv, rc11, c11, lkmm, or a .cat file; "
                   "repeatable; default: the model of the test's dialect. With --hardware: compare with it")
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
    app.add_flag("--tune", a.tune,
                 "try settings first, and run with those that show most often per second what the test asks "
                 "for");
    app.add_option("--tune-time", a.tune_seconds, "try each setting for S seconds")
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
                                   ->excludes("--hardware");
    app.add_option("--opinion-time", a.opinion_seconds,
                   "stop another simulator after S seconds for each test")
        ->type_name("S")
        ->check(CLI::PositiveNumber)
        ->capture_default_str()
        ->needs(asked);
}

void describe(CLI::App& app, arguments& a) {
    app.add_option(
           "FILE-or-DIR", a.paths,
           "tests, or folders to search for *.litmus; - is standard input, @FILE a list of them, one a line")
        ->required();
    describe_simulation(app, a);
    describe_hardware(app, a);
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

/// The files that are asked for, one after the other. What keeps them from being run is told.
exit_code find_tests(const arguments& a, std::vector<std::string>& files) {
    const auto refuse = [](const std::string& why, exit_code code) {
        fmt::print(stderr, "ringproof litmus: {}\n", why);
        return code;
    };
    try {
        files = find_files(a.paths);
    } catch (const std::runtime_error& error) { // of a list
        return refuse(error.what(), exit_code::usage);
    }
    if (std::count(files.begin(), files.end(), "-") > (a.hardware ? 0 : 1))
        return refuse(a.hardware ? "--hardware takes files, not standard input"
                                 : "standard input can be read once: name - once",
                      exit_code::usage);
    if (files.empty())
        return refuse(fmt::format("no .litmus file in {}", fmt::join(a.paths, ", ")), exit_code::no_match);
    if (a.hardware && a.models.size() > 1)
        return refuse("--hardware compares with one model", exit_code::usage);
    return exit_code::holds;
}

int run(int argc, char** argv) {
    arguments a;
    a.compiler = default_compiler();
    CLI::App app(
        "Simulates litmus tests (dialects C, X86, X86_64, AArch64, RISCV) under a memory model and "
        "prints every final state it allows, in herd7's form; with --hardware runs them on this machine.",
        "ringproof litmus");
    app.footer(
        "exit codes: 0 what tests claim (~exists, forall) holds and no outcome seen contradicts the "
        "model · 1 one does · 2 bad input · 4 the time ran out · 5 no test found · 77 this machine cannot · "
        "130 interrupted");
    describe(app, a);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return ringproof::command::end_of_arguments(app, error);
    }
    command::check_opinions(a.second_opinions, "litmus");
    a.run.sync = *synchronisation_from(a.sync);
    a.run.pinning = *affinity_from(a.pinning);
    a.run.shuffle = !a.no_shuffle;
    a.run.touch = !a.no_touch;

    std::vector<std::string> files;
    if (const exit_code found = find_tests(a, files); found != exit_code::holds) return to_int(found);
    const command::json shard = a.shard ? to_json(*a.shard, files) : command::json();
    files = command::of_shard(files, a.shard);
    std::signal(SIGINT, interrupt);
    std::signal(SIGTERM, interrupt);
    outcome result;
    command::json results = command::json::array();
    try {
        result = a.hardware ? run_here(a, std::move(files), results)
                            : simulate_files(a, std::move(files), results);
    } catch (const no_compiler&) {
        throw;
    } catch (const std::runtime_error& error) { // of a model; what is wrong with a test is told there
        fmt::print(stderr, "{}\n", error.what());
        return to_int(exit_code::usage);
    }
    opinions asked;
    if (!a.second_opinions.empty() && !interrupted.load(std::memory_order_relaxed)) {
        asked = ask_opinions(a.second_opinions, a.opinion_seconds, results, interrupted);
        print(asked, a.json == "-" ? stderr : stdout);
    }
    if (!a.json.empty()) {
        command::json document =
            command::make_document("ringproof-litmus/1", command::typed_command("litmus", argc, argv));
        if (a.shard) document["shard"] = shard;
        document["results"] = results;
        if (!a.second_opinions.empty()) document["opinions"] = to_json(asked);
        command::write_document(document, a.json);
    }
    if (results.empty() && a.shard) {
        fmt::print(stderr, "ringproof litmus: there are fewer tests than shards: this shard has none\n");
        return to_int(exit_code::no_match);
    }
    const exit_code own = result.code();
    const int theirs = code_of(asked);
    return own == exit_code::holds || theirs == to_int(exit_code::refuted) ? theirs : to_int(own);
}

/// Links the checker of compiled code, which not everybody who simulates has built: another program.
int run_witness(char** argv) {
    std::error_code error;
    const fs::path program =
        fs::read_symlink("/proc/self/exe", error).parent_path() / "ringproof-litmus-witness";
    execv(program.c_str(), argv);
    if (errno == ENOENT) {
        fmt::print(stderr, "ringproof litmus: {} is not there: build the target ringproof-litmus-witness\n",
                   program.string());
        return to_int(exit_code::usage);
    }
    fmt::print(stderr, "ringproof litmus: {}: {}\n", program.string(), std::strerror(errno));
    return to_int(exit_code::internal);
}

} // namespace
} // namespace ringproof::litmus

/// A word that is no file, and may be one of the verb's own verbs.
static bool is_mistyped(std::string_view word) {
    constexpr std::array<std::string_view, 3> own{"generate", "barriers", "witness"};
    const std::string meant = ringproof::command::suggestion(word, own);
    std::error_code error;
    if (meant.empty() || word.starts_with('-') || std::filesystem::exists(word, error)) return false;
    fmt::print(stderr, "ringproof litmus: there is no file '{}'{}\n", word, meant);
    return true;
}

int main(int argc, char** argv) {
    return ringproof::command::run_verb("ringproof litmus", [&] {
        try {
            if (argc > 1 && std::string_view(argv[1]) == "generate")
                return ringproof::litmus::cycles::generate_command(argc - 1, argv + 1);
            if (argc > 1 && std::string_view(argv[1]) == "barriers")
                return ringproof::litmus::ring::barriers_command(argc - 1, argv + 1);
            if (argc > 1 && std::string_view(argv[1]) == "witness")
                return ringproof::litmus::run_witness(argv + 1);
            if (argc > 1 && is_mistyped(argv[1])) return to_int(ringproof::command::exit_code::usage);
            return ringproof::litmus::run(argc, argv);
        } catch (const ringproof::litmus::no_compiler& error) {
            throw std::invalid_argument(error.what());
        }
    });
}
