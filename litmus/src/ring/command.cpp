// SPDX-License-Identifier: Apache-2.0
#include "command.hpp"

#include "table.hpp"

#include <ringproof/command/document.hpp>
#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/mistyped.hpp>
#include <ringproof/command/option_table.hpp>
#include <ringproof/command/typed_command.hpp>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

namespace ringproof::litmus::ring {
namespace {

using command::exit_code;

void write_tests(const std::string& folder) {
    for (const auto& [name, content] : test_files()) {
        const std::filesystem::path file = std::filesystem::path(folder) / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream out(file);
        out << content;
        if (!out.flush()) throw std::runtime_error(fmt::format("{}: cannot write", file.string()));
    }
}

} // namespace

int barriers_command(int argc, char** argv) {
    std::string markdown, json, results, tests;
    bool quiet = false;
    CLI::App app("Which of the ring's barriers A to D is needed on which machine, and what the least is "
                 "that works there: every combination is simulated.",
                 "ringproof litmus barriers");
    app.add_option("--markdown", markdown, "write the tables as Markdown; - is standard output")
        ->type_name("FILE");
    app.add_option("--json", json, "write the results as JSON; - is standard output")->type_name("FILE");
    app.add_option("--results", results,
                   "write the minimum of each machine as litmus results, for `ringproof report`")
        ->type_name("FILE");
    app.add_option("--tests", tests,
                   "write the ring's litmus tests (both styles, each barrier left out in turn), with their "
                   "expected verdicts, to this folder")
        ->type_name("DIR");
    app.add_flag("--quiet", quiet, "print only errors");
    app.footer("exit codes: 0 the least works on a whole ring and nothing of it can be left out · "
               "1 it does not · 2 bad input");
    command::add_common_options(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return ringproof::command::end_of_arguments(app, error);
    }
    const std::vector<machine_finding> all = examine_all();
    if (!quiet && markdown != "-" && json != "-") fmt::print("{}", to_text(all));
    try {
        if (markdown == "-") {
            fmt::print("{}", to_markdown(all));
        } else if (!markdown.empty()) {
            std::ofstream out(markdown);
            out << to_markdown(all);
            if (!out.flush()) throw std::runtime_error(fmt::format("{}: cannot write", markdown));
        }
        if (!json.empty()) {
            command::json document = command::make_document(
                "ringproof-barriers/1", command::typed_command("litmus barriers", argc, argv));
            document["results"] = to_json(all);
            command::write_document(document, json);
        }
        if (!results.empty()) {
            command::json document = command::make_document(
                "ringproof-litmus/1", command::typed_command("litmus barriers", argc, argv));
            document["results"] = to_litmus_json(all);
            command::write_document(document, results);
        }
        if (!tests.empty()) write_tests(tests);
    } catch (const std::runtime_error& error) {
        fmt::print(stderr, "ringproof litmus barriers: {}\n", error.what());
        return to_int(exit_code::usage);
    }
    return to_int(consistent(all) ? exit_code::holds : exit_code::refuted);
}

} // namespace ringproof::litmus::ring
