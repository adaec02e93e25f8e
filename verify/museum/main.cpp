// SPDX-License-Identifier: Apache-2.0
// `ringproof museum`: published bugs of lock-free code, in sources that are not ours and not changed.

#include "../check/children.hpp"
#include "../src/outcome/invocation.hpp"
#include "genmc_opinion.hpp"
#include "judge.hpp"
#include "opinion.hpp"
#include "relacy.hpp"
#include "run.hpp"
#include "table.hpp"

#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/file.hpp>
#include <ringproof/command/mistyped.hpp>
#include <ringproof/command/option_table.hpp>
#include <ringproof/command/repository.hpp>
#include <ringproof/command/shard.hpp>
#include <ringproof/command/temporary_folder.hpp>
#include <ringproof/command/verb.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <optional>

namespace {

namespace fs = std::filesystem;
using namespace ringproof::verify;
using ringproof::command::exit_code, ringproof::command::json;

struct asked_for {
    std::vector<std::string> filters, sources;
    std::string json, keep, exhibits;
    std::vector<std::string> opinions;
    double seconds = 60, opinion_seconds = 10;
    std::optional<ringproof::command::shard> shard;
    bool list = false, available = false, verbose = false, quiet = false;
};

fs::path program_folder() { return fs::read_symlink("/proc/self/exe").parent_path(); }

/// The descriptions: installed, or in the sources.
fs::path exhibits_folder() {
    for (const fs::path& folder :
         {program_folder() / RINGPROOF_INSTALLED_MUSEUM, fs::path(RINGPROOF_BUILD_MUSEUM)})
        if (fs::is_directory(folder)) return folder.lexically_normal();
    throw std::runtime_error("the exhibits are not installed: they lie in share/ringproof/museum");
}

std::vector<exhibit> chosen(std::vector<exhibit> all, const std::vector<std::string>& filters) {
    if (filters.empty()) return all;
    std::erase_if(all, [&](const exhibit& one) {
        return std::none_of(filters.begin(), filters.end(), [&](const std::string& filter) {
            return (one.name + " " + one.title).find(filter) != std::string::npos;
        });
    });
    return all;
}

/// What is run, with all sources looked for before the first search.
std::vector<showing> showings_of(const std::vector<exhibit>& exhibits, const clones& known,
                                 const fs::path& folder) {
    std::vector<showing> all;
    for (const exhibit& one : exhibits) {
        const auto add = [&](const edition& shown, bool broken) {
            all.push_back({&one, &shown, broken, find_source(shown.from, one.url, known, folder / one.name)});
        };
        add(one.before, true);
        if (one.after) add(*one.after, false);
    }
    return all;
}

/// What the other tools say, one after the other.
json ask(const showing& one, const asked_for& asked) {
    json said = json::array();
    for (const std::string& tool : asked.opinions) {
        if (was_interrupted()) break;
        const fs::path relacy = program_folder() / ".." / "lib" / "libringproof_museum_relacy.a";
        said.push_back(tool == "tsan" ? ask_tsan(one, asked.opinion_seconds)
                       : tool == "genmc"
                           ? ask_genmc(one, asked.opinion_seconds)
                           : ask_relacy(one, relacy.lexically_normal().string(), asked.opinion_seconds));
    }
    return said;
}

/// The commands in a result name files that are gone with the temporary folder.
void drop_commands(json& result) {
    result.erase("command");
    if (result.contains("counterexample") && result["counterexample"].is_object())
        result["counterexample"].erase("replay_command");
}

/// Runs all and prints a row for each.
/// @param kept the sources of clones stay, so that commands that name them work afterwards
/// @return the document of results; partial when it was interrupted
json show(const std::vector<showing>& showings, const asked_for& asked, bool kept,
          const std::vector<std::string>& invocation, std::FILE* out) {
    json document = ringproof::command::make_document("ringproof-verify/1", invocation);
    const std::string checker = (program_folder() / "ringproof-check").string();
    if (!asked.quiet) print_heading(out);
    for (const showing& one : showings) {
        if (was_interrupted()) break;
        auto [result, output, compiler] = run_showing(one, checker, asked.seconds);
        if (!kept && !one.source.folder.empty()) drop_commands(result);
        if (!asked.opinions.empty() && result.value("verdict", "") != "skipped")
            result["exhibit"]["opinions"] = ask(one, asked);
        if (was_interrupted()) break;
        if (!asked.quiet || !result.value("ok", true)) print_result(result, out);
        if (asked.verbose) fmt::print(out, "{}", output);
        if (!compiler.empty()) document["environment"]["program_compiler"] = compiler;
        document["results"].push_back(std::move(result));
    }
    document["environment"]["folder"] = ringproof::command::path_in_results(fs::current_path().string());
    if (was_interrupted()) document["interrupted"] = true;
    return document;
}

int run(const asked_for& asked, const std::vector<std::string>& invocation) {
    const std::vector<exhibit> all =
        read_exhibits(asked.exhibits.empty() ? exhibits_folder() : fs::path(asked.exhibits));
    const clones known = read_clones(asked.sources, all);
    const std::vector<exhibit> matching = chosen(all, asked.filters);
    const std::vector<exhibit> exhibits = ringproof::command::of_shard(matching, asked.shard);
    if (matching.empty()) {
        fmt::print(stderr, "error: no exhibit has '{}' in its name or title; --list shows them\n",
                   fmt::join(asked.filters, "' or '"));
        return to_int(exit_code::no_match);
    }
    if (asked.list) return print_list(exhibits), to_int(exit_code::holds);
    std::optional<ringproof::command::temporary_folder> temporary;
    if (asked.keep.empty()) temporary.emplace("ringproof-museum");
    std::vector<showing> showings =
        showings_of(exhibits, known, temporary ? temporary->path() : fs::absolute(asked.keep));
    if (asked.available)
        std::erase_if(showings, [](const showing& one) { return !one.source.absent.empty(); });
    pass_signals_on();
    std::FILE* const out = asked.json == "-" ? stderr : stdout;
    json document = show(showings, asked, !temporary, invocation, out);
    if (asked.shard) {
        std::vector<std::string> names;
        for (const exhibit& one : matching) names.push_back(one.name);
        document["shard"] = to_json(*asked.shard, names);
    }
    fmt::print(out, "{}\n", summary_of(document["results"]));
    if (was_interrupted()) fmt::print(stderr, "interrupted: the results are partial\n");
    if (!asked.json.empty()) ringproof::command::write_document(document, asked.json);
    return to_int(was_interrupted() ? exit_code::interrupted : code_of(document["results"]));
}

void add_options(CLI::App& app, asked_for& asked) {
    app.add_option("FILTER", asked.filters,
                   "show the exhibits with this in their name or title; without one: all");
    app.add_flag("--list", asked.list, "list the exhibits and the sources they need");
    app.add_option("--source", asked.sources,
                   "a clone of a repository with its whole history, for the exhibits that --list shows with "
                   "this NAME")
        ->type_name("NAME=DIR")
        ->allow_extra_args(false);
    app.add_flag("--available", asked.available,
                 "leave out what has no source here, instead of listing it as skipped");
    app.add_option("--keep", asked.keep,
                   "leave the sources that are taken out of clones in this folder, where the commands in "
                   "--json find them")
        ->type_name("DIR");
    app.add_option("--exhibits", asked.exhibits,
                   "show the exhibits that this folder describes, instead of the museum's own")
        ->type_name("DIR")
        ->check(CLI::ExistingDirectory);
    app.add_option("--time", asked.seconds, "stop a search after this many seconds")
        ->type_name("S")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_option(
           "--second-opinion", asked.opinions,
           "ask other tools about each exhibit, too: tsan, the ThreadSanitizer of $CXX and $CC or of g++ "
           "and gcc, with real threads on this machine; relacy, in a build with RINGPROOF_RELACY_ROOT; "
           "genmc, "
           "in $RINGPROOF_GENMC_ROOT or in PATH")
        ->type_name("TOOL[,TOOL]")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::IsMember({"tsan", "relacy", "genmc"}));
    app.add_option("--opinion-time", asked.opinion_seconds,
                   "let another tool run an exhibit again and again, or explore it, for this many seconds")
        ->type_name("S")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    ringproof::command::add_shard_option(app, asked.shard, "exhibits");
    app.add_option("--json", asked.json,
                   "write the results as JSON; - is standard output, which is also the default")
        ->type_name("FILE")
        ->expected(0, 1)
        ->default_str("-");
    app.add_flag("--verbose", asked.verbose, "show the executions that refute, and what compilers say");
    app.add_flag("--quiet", asked.quiet, "print only what is not as expected, and the sum");
    app.footer(
        "exit codes: 0 every exhibit that ran is as expected · 1 one is not · 2 usage · 4 a search was "
        "stopped · 5 no exhibit matches · 77 all skipped: no source is here · 130 interrupted");
}

} // namespace

int main(int argc, char** argv) {
    return ringproof::command::run_verb("error", [&] {
        asked_for asked;
        CLI::App app(
            "Shows published bugs of lock-free code in unmodified sources, each refuted, and its fix "
            "verified.",
            "ringproof museum");
        add_options(app, asked);
        ringproof::command::add_common_options(app);
        try {
            app.parse(argc, argv);
        } catch (const CLI::ParseError& error) {
            return ringproof::command::end_of_arguments(app, error);
        }
        if (app.count("--json") > 0 && asked.json.empty()) asked.json = "-";
        return run(asked, user_command(argc, argv));
    });
}
