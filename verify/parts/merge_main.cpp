// SPDX-License-Identifier: Apache-2.0
// ringproof merge RESULT.json… --json FILE

#include "../src/outcome/invocation.hpp"
#include "joined.hpp"
#include "merge.hpp"
#include "print.hpp"

#include <ringproof/command/mistyped.hpp>
#include <ringproof/command/option_table.hpp>
#include <ringproof/command/verb.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <stdexcept>

namespace {

using namespace ringproof::verify;
using ringproof::command::exit_code, ringproof::command::json;

template <class Results>
void write(const Results& all, const char* schema, const std::string& path,
           const std::vector<std::string>& invocation) {
    if (path.empty()) return;
    json document = ringproof::command::make_document(schema, invocation);
    if (!all.environment.empty()) document["environment"] = all.environment;
    for (const json& result : all.results) document["results"].push_back(result);
    ringproof::command::write_document(document, path);
}

int join_tests(const std::vector<std::string>& files, const std::string& path,
               const std::vector<std::string>& invocation) {
    const joined_results all = join(files);
    print(all, path == "-" ? stderr : stdout);
    write(all, "ringproof-litmus/1", path, invocation);
    return to_int(code_of(all));
}

int run(const std::vector<std::string>& files, const std::string& path,
        const std::vector<std::string>& invocation) {
    const merged_results merged = [&] {
        try {
            return merge(files);
        } catch (const json::exception& error) {
            throw std::invalid_argument(
                fmt::format("these results cannot be put together: {}", error.what()));
        }
    }();
    std::FILE* const out = path == "-" ? stderr : stdout;
    for (const json& result : merged.results) print_summed(result, out);
    for (const std::string& message : merged.messages) fmt::print(stderr, "error: {}\n", message);
    if (!merged.messages.empty()) return to_int(exit_code::usage);
    write(merged, "ringproof-verify/1", path, invocation);
    return to_int(code_of(merged));
}

} // namespace

int main(int argc, char** argv) {
    return ringproof::command::run_verb("error", [&] {
        std::vector<std::string> files;
        std::string path;
        CLI::App app("Puts the results of the parts of a search, or of shards of many jobs, together: one "
                     "verdict for all of them.",
                     "ringproof merge");
        app.add_option(
               "RESULT", files,
               "what --json has written for each part or shard, and for searches that were not divided")
            ->required()
            ->check(CLI::ExistingFile);
        app.add_option("--json", path,
                       "write the results as JSON; - is standard output, which is also the default")
            ->type_name("FILE")
            ->expected(0, 1)
            ->default_str("-");
        app.footer(
            "exit codes: 0 everything holds · 1 refuted · 2 usage, or parts or shards that are missing, "
            "foreign or given twice · 4 inconclusive: a part was stopped");
        ringproof::command::add_common_options(app);
        try {
            app.parse(argc, argv);
        } catch (const CLI::ParseError& error) {
            return ringproof::command::end_of_arguments(app, error);
        }
        if (app.count("--json") > 0 && path.empty()) path = "-";
        const auto put_together = has_litmus_results(files.front()) ? join_tests : run;
        return put_together(files, path, user_command(argc, argv));
    });
}
