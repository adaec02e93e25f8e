// SPDX-License-Identifier: Apache-2.0
// ringproof report RESULT.json… -o DIR

#include "annotations.hpp"
#include "badge.hpp"
#include "code_quality.hpp"
#include "junit.hpp"
#include "markdown.hpp"
#include "page.hpp"
#include "sarif.hpp"
#include "source_lines.hpp"

#include <ringproof/command/document.hpp>
#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/file.hpp>
#include <ringproof/command/mistyped.hpp>
#include <ringproof/command/option_table.hpp>
#include <ringproof/command/verb.hpp>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fmt/format.h>

namespace {

namespace fs = std::filesystem;
using namespace ringproof::report;
using ringproof::command::exit_code, ringproof::command::file_error, ringproof::command::write_text;

exit_code code_of(status value) {
    switch (value) {
    case status::ok:
        return exit_code::holds;
    case status::failed:
        return exit_code::refuted;
    case status::inconclusive:
        return exit_code::inconclusive;
    case status::skipped:
        return exit_code::skipped;
    case status::empty:
        return exit_code::no_match;
    }
    return exit_code::internal;
}

struct options {
    std::vector<std::string> results;
    std::string folder, html, junit, sarif, markdown, annotations, code_quality, json_file, source;
    bool quiet = false;
};

int run(const options& asked) {
    std::vector<document> documents;
    bool readable = true;
    for (const std::string& path : asked.results) {
        try {
            documents.push_back(load(path));
        } catch (const std::runtime_error& error) { // name every bad file, not only the first
            fmt::print(stderr, "{}\n", error.what());
            readable = false;
        }
    }
    if (!readable) return to_int(exit_code::usage);

    const summary all = summarize(documents);
    const json sources = asked.source.empty() ? json::object() : source_lines(documents, asked.source);
    if (!asked.folder.empty()) {
        const fs::path folder = asked.folder;
        std::error_code error;
        fs::create_directories(folder, error);
        if (error)
            throw file_error(fmt::format("{}: cannot make the folder: {}", asked.folder, error.message()));
        write_text(to_page(all, documents, sources), folder / "index.html");
        write_text(to_markdown(all, documents), folder / "summary.md");
        write_text(to_junit(all), folder / "junit.xml");
        write_text(to_sarif(all), folder / "results.sarif");
        write_text(to_badge(all), folder / "badge.svg");
    }
    if (!asked.html.empty()) write_text(to_page(all, documents, sources), asked.html);
    if (!asked.junit.empty()) write_text(to_junit(all), asked.junit);
    if (!asked.sarif.empty()) write_text(to_sarif(all), asked.sarif);
    if (!asked.markdown.empty()) write_text(to_markdown(all, documents), asked.markdown);
    if (!asked.annotations.empty()) write_text(to_annotations(all), asked.annotations);
    if (!asked.code_quality.empty()) write_text(to_code_quality(all), asked.code_quality);
    if (!asked.json_file.empty()) ringproof::command::write_document(to_json(all), asked.json_file);
    if (!asked.quiet) {
        fmt::print("{}\n", all.headline());
        if (all.tallies.contains(document_kind::verify)) fmt::print("  verify  {}\n", all.verify_line());
        if (all.tallies.contains(document_kind::litmus)) fmt::print("  litmus  {}\n", all.litmus_line());
        for (const auto& [kind, counts] : all.tallies)
            fmt::print("  {:<7} {}\n", name_of(kind), all.counts_line(kind));
        for (const test_case& c : all.cases)
            if (c.result != outcome::passed && c.result != outcome::skipped)
                fmt::print("  {}: {}: {}\n", name_of(c.result), c.name, c.what);
        if (!asked.folder.empty()) fmt::print("{}\n", (fs::path(asked.folder) / "index.html").string());
    }
    return to_int(code_of(all.verdict));
}

int report(int argc, char** argv) {
    options asked;
    CLI::App app{
        "Makes the page, JUnit, SARIF, Markdown and a badge from results of verify, litmus and bench",
        "ringproof report"};
    app.add_option("RESULT.json", asked.results,
                   "results of verify, check, litmus or bench, as --json writes them")
        ->required();
    app.add_option("-o,--output", asked.folder,
                   "write into this folder: index.html, summary.md, junit.xml, results.sarif and badge.svg")
        ->type_name("DIR");
    app.add_option("--html", asked.html, "write the page to this file")->type_name("FILE");
    app.add_option("--junit", asked.junit, "write JUnit XML to this file")->type_name("FILE");
    app.add_option("--sarif", asked.sarif, "write SARIF to this file")->type_name("FILE");
    app.add_option("--markdown", asked.markdown, "write the summary as Markdown to this file")
        ->type_name("FILE");
    app.add_option("--annotations", asked.annotations,
                   "write each finding as a workflow command of GitHub, which shows it at its line; - is "
                   "standard output")
        ->type_name("FILE");
    app.add_option("--code-quality", asked.code_quality,
                   "write the findings as GitLab's code quality report to this file")
        ->type_name("FILE");
    app.add_option("--json", asked.json_file, "write the summary as JSON to this file; - is standard output")
        ->type_name("FILE");
    app.add_option("--source", asked.source,
                   "show lines of the source files below this folder beside counterexamples")
        ->check(CLI::ExistingDirectory)
        ->type_name("DIR");
    app.add_flag("-q,--quiet", asked.quiet, "print only errors");
    app.footer(
        "exit codes: 0 everything holds · 1 something is refuted or not as expected · 2 usage or bad input · "
        "4 inconclusive · 5 no results · 77 everything was skipped");
    ringproof::command::add_common_options(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return ringproof::command::end_of_arguments(app, error);
    }
    if (asked.folder.empty() && asked.html.empty() && asked.junit.empty() && asked.sarif.empty() &&
        asked.markdown.empty() && asked.annotations.empty() && asked.code_quality.empty() &&
        asked.json_file.empty()) {
        fmt::print(stderr, "ringproof report: say where to write: -o DIR, or --html, --junit, --sarif, "
                           "--markdown, --annotations, --code-quality, --json FILE\n");
        return to_int(exit_code::usage);
    }
    return run(asked);
}

} // namespace

int main(int argc, char** argv) {
    return ringproof::command::run_verb("ringproof report", [&] { return report(argc, argv); });
}
