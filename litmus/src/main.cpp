// SPDX-License-Identifier: Apache-2.0
// ringproof litmus: runs litmus tests and tells what came out.

#include "batch/batch.hpp"
#include "cycle/command.hpp"
#include "hardware/campaign.hpp"
#include "ring/command.hpp"

#include <ringproof/command/document.hpp>
#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/mistyped.hpp>
#include <ringproof/command/progress.hpp>
#include <ringproof/command/verb.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
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
    bool quiet = false;
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
    int unroll = 2;
};

/// The files named, and for a folder every .litmus below it, in order of name.
std::vector<std::string> find_files(const std::vector<std::string>& paths) {
    std::vector<std::string> files;
    for (const std::string& path : paths) {
        std::error_code error;
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
    command::progress progress(a.quiet);
    const batch_result r = simulate_all(
        o, interrupted,
        [&](const batch_item& item) {
            progress.clear();
            if (!item.log.empty()) fmt::print("{}\n", item.log);
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

void describe(CLI::App& app, arguments& a) {
    app.add_option("FILE-or-DIR", a.paths, "tests, or folders to search for *.litmus")->required();
    app.add_option(
           "-m,--model,--cat", a.models,
           "simulate under this model: sc, x86-tso, aarch64, riscv, rc11, c11, lkmm, or a .cat file "
           "(more than one: each in turn; default: the one of the test's dialect); with --hardware: the one "
           "to compare with")
        ->allow_extra_args(false);
    app.add_option("-I", a.folders, "folder to search for files that models include")
        ->allow_extra_args(false);
    app.add_option("--bell", a.bells, "a .bell file to run before the model")->allow_extra_args(false);
    app.add_option("--macros", a.macros,
                   "a .def file: what functions of C tests do, in place of what is built in")
        ->allow_extra_args(false);
    app.add_option("--variant", a.variants, "a name that models test for (if \"NAME\" …)")
        ->allow_extra_args(false);
    app.add_option("--skip-checks", a.skipped_checks, "leave out the model's checks of that name")
        ->allow_extra_args(false);
    app.add_option(
           "--show", a.show,
           "graph: draw an execution of each test, one that satisfies its condition if there is one (SVG and "
           "JSON)")
        ->check(CLI::IsMember({"graph"}));
    app.add_option("--executions", a.executions, "how many to draw of each test")
        ->check(CLI::Range(1, 10000))
        ->capture_default_str();
    app.add_option("-o,--output", a.graphs, "folder for what --show writes")->capture_default_str();
    app.add_option("--unroll", a.unroll, "how often loops go round at most")
        ->check(CLI::Range(0, 1000))
        ->capture_default_str();
    app.add_flag("--hardware", a.hardware, "run on this machine's processors instead");
    app.add_option("-r,--runs", a.run.runs, "batches of a test")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("-s,--size", a.run.size, "instances of the test in a batch")
        ->check(CLI::Range(1u, 10'000'000u))
        ->capture_default_str();
    app.add_option("--time", a.run.seconds,
                   "hardware: run each test that many seconds, whatever --runs says; simulator: "
                   "give up on a test after that many (inconclusive)")
        ->check(CLI::PositiveNumber);
    app.add_option("--seed", a.run.seed, "of the order of instances")->capture_default_str();
    app.add_option(
           "--affinity", a.pinning,
           "which CPUs: none (the scheduler's), incr (by number), siblings (of one core), l3 (cores below "
           "one L3), package (different ones)")
        ->check(CLI::IsMember({"none", "incr", "siblings", "l3", "package"}))
        ->capture_default_str();
    app.add_option(
           "--sync", a.sync,
           "how the threads start together: none (once a batch), user (they meet), fence (and drain their "
           "stores), timebase (at one value of the clock)")
        ->check(CLI::IsMember({"none", "user", "fence", "timebase"}))
        ->capture_default_str();
    app.add_option("--group", a.run.group, "instances run between two meetings; 0 chooses")
        ->capture_default_str();
    app.add_option("--stride", a.run.stride, "lay an instance at every N-th place")
        ->check(CLI::Range(1u, 4096u))
        ->capture_default_str();
    app.add_flag("--no-shuffle", a.no_shuffle, "run the instances in the order of their addresses");
    app.add_flag("--no-touch", a.no_touch, "do not load beforehand what the threads will load");
    app.add_flag("--flush", a.run.flush, "flush from the caches beforehand what the threads will store to");
    app.add_flag(
        "--tune", a.tune,
        "try settings first, and run with those that show most often per second what the test asks for");
    app.add_option("--tune-time", a.tune_seconds, "seconds for each setting that is tried")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option("--cxx", a.compiler, "the compiler for the generated code (default: $CXX or c++)");
    app.add_option("--jobs", a.jobs, "tests at once (hardware runs are one at a time: they need the CPUs)");
    app.add_option("--json", a.json, "write the results to FILE ('-' is standard output)");
    app.add_flag("--quiet", a.quiet, "no progress on stderr");
}

int run(int argc, char** argv) {
    arguments a;
    a.compiler = default_compiler();
    CLI::App app(
        "Simulates litmus tests (dialects C, X86, X86_64, AArch64, RISCV) under a memory model and "
        "prints every final state it allows, in herd7's form; with --hardware runs them on this machine.",
        "ringproof litmus");
    app.footer("Exit codes: 0 what tests claim (~exists, forall) holds and no outcome seen contradicts the "
               "model, 1 one does, 2 bad input, 4 the time ran out, 5 no test found, 77 this machine cannot, "
               "130 interrupted");
    describe(app, a);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return ringproof::command::end_of_arguments(app, error);
    }
    a.run.sync = *synchronisation_from(a.sync);
    a.run.pinning = *affinity_from(a.pinning);
    a.run.shuffle = !a.no_shuffle;
    a.run.touch = !a.no_touch;

    std::vector<std::string> files = find_files(a.paths);
    if (files.empty()) {
        fmt::print(stderr, "ringproof litmus: no .litmus file in {}\n", fmt::join(a.paths, ", "));
        return to_int(exit_code::no_match);
    }
    std::signal(SIGINT, interrupt);
    std::signal(SIGTERM, interrupt);
    outcome result;
    command::json results = command::json::array();
    if (a.hardware) {
        if (a.models.size() > 1) {
            fmt::print(stderr, "ringproof litmus: --hardware compares with one model\n");
            return to_int(exit_code::usage);
        }
        try {
            result = run_here(a, std::move(files), results);
        } catch (const no_compiler&) {
            throw;
        } catch (const std::runtime_error& error) { // of a model; what is wrong with a test is told there
            fmt::print(stderr, "{}\n", error.what());
            return to_int(exit_code::usage);
        }
    } else {
        try {
            result = simulate_files(a, std::move(files), results);
        } catch (const std::runtime_error& error) { // of a model; what is wrong with a test is told there
            fmt::print(stderr, "{}\n", error.what());
            return to_int(exit_code::usage);
        }
    }
    if (!a.json.empty()) {
        command::json document =
            command::make_document("ringproof-litmus/1", std::vector<std::string>(argv, argv + argc));
        document["results"] = results;
        command::write_document(document, a.json);
    }
    return to_int(result.code());
}

/// Links the checker of compiled code, which not everybody who simulates has built: another program.
int run_witness(char** argv) {
    std::error_code error;
    const fs::path program =
        fs::read_symlink("/proc/self/exe", error).parent_path() / "ringproof-litmus-witness";
    execv(program.c_str(), argv);
    fmt::print(stderr, "ringproof litmus: {}: {}\n", program.string(), std::strerror(errno));
    return to_int(exit_code::internal);
}

} // namespace
} // namespace ringproof::litmus

int main(int argc, char** argv) {
    return ringproof::command::run_verb("ringproof litmus", [&] {
        try {
            if (argc > 1 && std::string_view(argv[1]) == "generate")
                return ringproof::litmus::cycles::generate_command(argc - 1, argv + 1);
            if (argc > 1 && std::string_view(argv[1]) == "barriers")
                return ringproof::litmus::ring::barriers_command(argc - 1, argv + 1);
            if (argc > 1 && std::string_view(argv[1]) == "witness")
                return ringproof::litmus::run_witness(argv + 1);
            return ringproof::litmus::run(argc, argv);
        } catch (const ringproof::litmus::no_compiler& error) {
            throw std::invalid_argument(error.what());
        }
    });
}
