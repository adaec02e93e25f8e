// SPDX-License-Identifier: Apache-2.0
// ringproof litmus: runs litmus tests and tells what came out.

#include "batch/batch.hpp"
#include "cli/arguments.hpp"
#include "compile/campaign.hpp"
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

cat::setting setting_of(const arguments& a) {
    cat::setting s;
    s.folders = a.folders;
    s.libraries = a.bells;
    s.variants.insert(a.variants.begin(), a.variants.end());
    s.skipped_checks.insert(a.skipped_checks.begin(), a.skipped_checks.end());
    return s;
}

/// This machine's processors: what they show.
outcome run_here(const arguments& a, std::vector<std::string> files, command::json& results) {
    campaign_options o;
    o.files = std::move(files);
    o.run = a.run;
    o.compiler = a.compiler;
    o.setting.folders = a.folders;
    o.tune = a.how_tuned;
    o.tune_seconds = a.tune_seconds;
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
    o.setting = setting_of(a);
    o.unroll = a.unroll;
    o.seconds = a.run.seconds;
    o.jobs = std::max(1u, a.jobs);
    o.why = a.why;
    o.whole_executions = a.whole_executions;
    o.explores = a.engine == "explore";
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

/// Compilers, and whether what they make of the tests has outcomes that the tests have not.
outcome compile_files(const arguments& a, std::vector<std::string> files, command::json& results) {
    compiled::campaign_options o;
    o.files = std::move(files);
    o.compilers = a.compilers;
    if (!a.models.empty()) o.model = a.models.front();
    o.setting = setting_of(a);
    o.unroll = a.unroll;
    o.seconds = a.run.seconds;
    o.jobs = std::max(1u, a.jobs);
    command::progress progress(a.quiet);
    std::FILE* const out = a.json == "-" ? stderr : stdout;
    const compiled::campaign_result r = compiled::compile_and_compare(
        o, interrupted,
        [&](const compiled::campaign_item& item) {
            progress.clear();
            fmt::print(out, "{}", item.log);
            progress.update(static_cast<double>(item.done) / static_cast<double>(item.of), item.name);
        },
        results);
    progress.clear();
    for (const std::string& why : r.absent) fmt::print(stderr, "ringproof litmus: {}\n", why);
    if (!r.compilers.empty()) fmt::print(out, "{}", to_text(r));
    outcome all;
    all.skipped = !r.absent.empty();
    for (const compiled::tally& t : r.compilers) {
        all.bad_input = all.bad_input || t.errors != 0;
        all.refuted = all.refuted || t.refuted != 0;
        all.inconclusive = all.inconclusive || t.inconclusive != 0;
    }
    return all;
}

/// What --engine explore cannot do, of what is asked for; "" if it can all.
std::string beyond_explorer(const arguments& a) {
    const std::pair<const char*, bool> asked[] = {{"--hardware", a.hardware},
                                                  {"--compile", !a.compilers.empty()},
                                                  {"--why", a.why},
                                                  {"--show", !a.show.empty()},
                                                  {"--bell", !a.bells.empty()},
                                                  {"--macros", !a.macros.empty()},
                                                  {"--variant", !a.variants.empty()},
                                                  {"--skip-checks", !a.skipped_checks.empty()},
                                                  {"--whole-executions", a.whole_executions}};
    if (a.engine != "explore") return "";
    for (const auto& [name, given] : asked)
        if (given) return fmt::format("--engine explore does not know {}: leave one of them out", name);
    return "";
}

/// The files that are asked for, one after the other. What keeps them from being run is told.
exit_code find_tests(const arguments& a, std::vector<std::string>& files) {
    const auto refuse = [](const std::string& why, exit_code code) {
        fmt::print(stderr, "ringproof litmus: {}\n", why);
        return code;
    };
    if (const std::string why = beyond_explorer(a); !why.empty()) return refuse(why, exit_code::usage);
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
    if ((a.hardware || !a.compilers.empty()) && a.models.size() > 1)
        return refuse(fmt::format("{} compares with one model", a.hardware ? "--hardware" : "--compile"),
                      exit_code::usage);
    return exit_code::holds;
}

int run(int argc, char** argv) {
    arguments a;
    a.compiler = default_compiler();
    CLI::App app("Simulates litmus tests (dialects C, X86, X86_64, AArch64, RISCV) under a memory model and "
                 "prints every final state it allows, in herd7's form; with --hardware runs them on this "
                 "machine; with --compile asks what compilers make of them.",
                 "ringproof litmus");
    app.footer("exit codes: 0 what tests claim (~exists, forall) holds and no outcome seen contradicts the "
               "model (--compile: the source) · 1 one does · 2 bad input · 4 the time ran out · 5 no test "
               "found · 77 this machine cannot, or a compiler is absent · "
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
    a.how_tuned = tuning_of(app, a);

    std::vector<std::string> files;
    if (const exit_code found = find_tests(a, files); found != exit_code::holds) return to_int(found);
    const command::json shard = a.shard ? to_json(*a.shard, files) : command::json();
    files = command::of_shard(files, a.shard);
    std::signal(SIGINT, interrupt);
    std::signal(SIGTERM, interrupt);
    outcome result;
    command::json results = command::json::array();
    try {
        result = a.hardware            ? run_here(a, std::move(files), results)
                 : a.compilers.empty() ? simulate_files(a, std::move(files), results)
                                       : compile_files(a, std::move(files), results);
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
