// SPDX-License-Identifier: Apache-2.0
// ringproof litmus: runs litmus tests and tells what came out.

#include "cycle/command.hpp"
#include "enumerate/batch.hpp"
#include "hardware/generate.hpp"
#include "hardware/library.hpp"
#include "hardware/runner.hpp"
#include "log/result.hpp"
#include "operational/x86_tso.hpp"
#include "parse/x86.hpp"
#include "ring/command.hpp"

#include <ringproof/command/document.hpp>
#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/progress.hpp>

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
    // simulator
    std::vector<std::string> models;
    std::vector<std::string> folders;
    std::vector<std::string> bells;
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

class batch {
  public:
    batch(const arguments& a, std::vector<std::string> files)
        : arguments_(a), files_(std::move(files)), progress_(a.quiet) {}

    outcome run() {
        for (; index_ < files_.size() && !interrupted.load(std::memory_order_relaxed); ++index_) {
            try {
                run_file(files_[index_]);
            } catch (const no_compiler&) {
                progress_.clear();
                throw;
            } catch (const not_on_this_machine& skip) {
                skip_file(skip.what());
            } catch (const syntax_error& error) {
                tell_problem(error.what(), "error");
                results_.back()["line"] = error.line();
                outcome_.bad_input = true;
            } catch (const std::runtime_error& error) {
                // Ctrl-C ends the compiler as well: that is no fault of the test.
                if (interrupted.load(std::memory_order_relaxed)) break;
                tell_problem(error.what(), "error");
                outcome_.bad_input = true;
            }
        }
        progress_.clear();
        for (const auto& [reason, count] : skipped_)
            if (count > 1) fmt::print(stderr, "skipped: {} tests: {}\n", count, reason);
        return outcome_;
    }

    const command::json& results() const { return results_; }

  private:
    void run_file(const std::string& file) {
        const test t = parse_test(read_source(file));
        if (t.dialect == "C" || t.dialect == "AArch64" || t.dialect == "RISCV")
            throw not_on_this_machine(
                fmt::format("tests of dialect {} do not run on this machine", t.dialect));
        if (!x86::is_dialect(t.dialect))
            throw syntax_error(
                t.from, t.from.text.find(t.dialect),
                fmt::format("dialect '{}' is not supported: expected X86 or X86_64", t.dialect));
        const x86::program program = x86::parse_program(t);
#if !defined(__x86_64__)
        throw not_on_this_machine("tests of dialect X86 need an x86-64 machine");
#endif
        const std::vector<location> shown = shown_locations(t);
        const library code(generate(program, shown), arguments_.compiler, folder_);
        const auto tell = [&](double fraction) {
            progress_.update((static_cast<double>(index_) + fraction) / static_cast<double>(files_.size()),
                             t.name);
        };
        const run_result ran = run_on_hardware(code.test(), shown.size(), arguments_.run, interrupted, tell);
        test_result r = make_result(t, ran.states);
        r.engine = "hardware";
        r.seconds = ran.seconds;
        r.iterations = ran.iterations;
        r.workers = ran.workers;
        r.affinity = arguments_.pinning;
        r.cpus = ran.cpus;
        compare_with_model(program, shown, ran.states, r);
        progress_.clear();
        outcome_.ran = true;
        fmt::print("{}\n", to_log(r));
        std::fflush(stdout);
        if (!r.holds()) {
            outcome_.refuted = true;
            fmt::print(stderr, "{}: ALARM: seen on this machine although {} forbids it:\n", file, r.model);
            for (const auto& values : r.forbidden) fmt::print(stderr, "  {}\n", state_text(shown, values));
            fmt::print(stderr, "{}\n", t.from.text);
        }
        results_.push_back(to_json(r));
    }

    static void compare_with_model(const x86::program& program, const std::vector<location>& shown,
                                   const histogram& seen, test_result& r) {
        const std::optional<final_states> allowed = explore(program, shown, machine::tso);
        if (!allowed) return; // the verdict is then only "observed"
        r.model = "x86-tso";
        r.allowed = allowed->values.size();
        for (const auto& [values, count] : seen)
            if (allowed->values.count(values) == 0) r.forbidden.push_back(values);
    }

    /// A folder may hold hundreds that cannot run here: each reason is told once, and how many in the end.
    void skip_file(const std::string& reason) {
        progress_.clear();
        if (skipped_[reason]++ == 0) fmt::print(stderr, "{}: skipped: {}\n", files_[index_], reason);
        record(reason, "skipped");
        results_.back().erase("ok"); // nothing was found wrong
        outcome_.skipped = true;
    }

    void tell_problem(const std::string& what, const char* verdict) {
        progress_.clear();
        fmt::print(stderr, "{}\n", what);
        record(what, verdict);
    }

    void record(const std::string& what, const char* verdict) {
        results_.push_back({{"name", fs::path(files_[index_]).stem().string()},
                            {"file", files_[index_]},
                            {"engine", "hardware"},
                            {"verdict", verdict},
                            {"message", what},
                            {"ok", false}});
    }

    const arguments& arguments_;
    std::vector<std::string> files_;
    std::size_t index_ = 0;
    command::progress progress_;
    command::json results_ = command::json::array();
    outcome outcome_;
    std::map<std::string, int> skipped_; // reason → tests
    scratch_folder folder_;
};

/// The simulator: every execution a model allows.
outcome simulate_files(const arguments& a, std::vector<std::string> files, command::json& results) {
    batch_options o;
    o.files = std::move(files);
    o.models = a.models;
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
    app.add_option("-m,--model,--cat", a.models,
                   "simulate under this model: sc, x86-tso, aarch64, riscv, rc11, c11, lkmm, or a .cat file "
                   "(more than one: each in turn; default: the one of the test's dialect)")
        ->allow_extra_args(false);
    app.add_option("-I", a.folders, "folder to search for files that models include")
        ->allow_extra_args(false);
    app.add_option("--bell", a.bells, "a .bell file to run before the model")->allow_extra_args(false);
    app.add_option("--variant", a.variants, "a name that models test for (if \"NAME\" …)")
        ->allow_extra_args(false);
    app.add_option("--skip-checks", a.skipped_checks, "leave out the model's checks of that name")
        ->allow_extra_args(false);
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
    app.add_option("--sync", a.sync,
                   "how the threads start together: none (once a batch), user (they meet), timebase")
        ->check(CLI::IsMember({"none", "user", "timebase"}))
        ->capture_default_str();
    app.add_option("--group", a.run.group, "instances run between two meetings; 0 chooses")
        ->capture_default_str();
    app.add_option("--stride", a.run.stride, "lay an instance at every N-th place")
        ->check(CLI::Range(1u, 4096u))
        ->capture_default_str();
    app.add_flag("--no-shuffle", a.no_shuffle, "run the instances in the order of their addresses");
    app.add_flag("--no-touch", a.no_touch, "do not load beforehand what the threads will load");
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
        "prints every final state it allows, in herd7's form; with --hardware runs those of X86 here.",
        "ringproof litmus");
    app.footer("Exit codes: 0 what tests claim (~exists, forall) holds and no outcome seen contradicts the "
               "model, 1 one does, 2 bad input, 4 the time ran out, 5 no test found, 77 this machine cannot, "
               "130 interrupted");
    describe(app, a);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : to_int(exit_code::usage);
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
        batch all(a, std::move(files));
        result = all.run();
        results = all.results();
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
    using ringproof::command::exit_code;
    try {
        if (argc > 1 && std::string_view(argv[1]) == "generate")
            return ringproof::litmus::cycles::generate_command(argc - 1, argv + 1);
        if (argc > 1 && std::string_view(argv[1]) == "barriers")
            return ringproof::litmus::ring::barriers_command(argc - 1, argv + 1);
        if (argc > 1 && std::string_view(argv[1]) == "witness")
            return ringproof::litmus::run_witness(argv + 1);
        return ringproof::litmus::run(argc, argv);
    } catch (const ringproof::litmus::no_compiler& error) {
        fmt::print(stderr, "ringproof litmus: {}\n", error.what());
        return to_int(exit_code::usage);
    } catch (const std::exception& error) {
        fmt::print(stderr, "ringproof litmus: {}\n", error.what());
        return to_int(exit_code::internal);
    }
}
