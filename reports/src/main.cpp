// SPDX-License-Identifier: Apache-2.0
// ringproof report RESULT.json… -o DIR

#include "badge.hpp"
#include "junit.hpp"
#include "markdown.hpp"
#include "page.hpp"
#include "sarif.hpp"
#include "source_lines.hpp"

#include <ringproof/command/document.hpp>
#include <ringproof/command/exit_code.hpp>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using namespace ringproof::report;
using ringproof::command::exit_code;

/// All or nothing: through a temporary file beside it, as result documents are written.
void write_file(const fs::path& path, const std::string& text) {
    std::error_code ignored;
    const auto there = fs::status(path, ignored);
    const bool in_place = fs::exists(there) && !fs::is_regular_file(there); // a device, or a pipe
    const std::string temporary =
        in_place ? path.string() : fmt::format("{}.{}.tmp", path.string(), getpid());
    std::FILE* file = std::fopen(temporary.c_str(), "wb");
    bool good = file != nullptr;
    good = good && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    int error = errno;
    if (file && std::fclose(file) != 0 && good) good = false, error = errno;
    if (good && !in_place && std::rename(temporary.c_str(), path.c_str()) != 0) good = false, error = errno;
    if (good) return;
    if (!in_place) std::remove(temporary.c_str());
    throw std::runtime_error(fmt::format("{}: cannot write: {}", path.string(), std::strerror(error)));
}

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
    std::string folder, html, junit, sarif, json_file, source;
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
        fs::create_directories(folder);
        write_file(folder / "index.html", to_page(all, documents, sources));
        write_file(folder / "summary.md", to_markdown(all, documents));
        write_file(folder / "junit.xml", to_junit(all));
        write_file(folder / "results.sarif", to_sarif(all));
        write_file(folder / "badge.svg", to_badge(all));
    }
    if (!asked.html.empty()) write_file(asked.html, to_page(all, documents, sources));
    if (!asked.junit.empty()) write_file(asked.junit, to_junit(all));
    if (!asked.sarif.empty()) write_file(asked.sarif, to_sarif(all));
    if (!asked.json_file.empty()) ringproof::command::write_document(to_json(all), asked.json_file);
    if (!asked.quiet) {
        fmt::print("{}\n", all.headline());
        if (all.tallies.contains(document_kind::verify)) fmt::print("  verify  {}\n", all.verify_line());
        if (all.tallies.contains(document_kind::litmus)) fmt::print("  litmus  {}\n", all.litmus_line());
        for (const test_case& c : all.cases)
            if (c.result != outcome::passed && c.result != outcome::skipped)
                fmt::print("  {}: {}: {}\n", name_of(c.result), c.name, c.what);
        if (!asked.folder.empty()) fmt::print("{}\n", (fs::path(asked.folder) / "index.html").string());
    }
    return to_int(code_of(all.verdict));
}

} // namespace

int main(int argc, char** argv) {
    options asked;
    CLI::App app{
        "Makes the page, JUnit, SARIF, Markdown and a badge from results of verify, litmus and bench",
        "ringproof report"};
    app.add_option("results", asked.results, "Result documents (JSON)")->required()->type_name("RESULT.json");
    app.add_option("-o,--output", asked.folder,
                   "Folder for index.html, summary.md, junit.xml, results.sarif and badge.svg")
        ->type_name("DIR");
    app.add_option("--html", asked.html, "Write the page to this file")->type_name("FILE");
    app.add_option("--junit", asked.junit, "Write JUnit XML to this file")->type_name("FILE");
    app.add_option("--sarif", asked.sarif, "Write SARIF to this file")->type_name("FILE");
    app.add_option("--json", asked.json_file, "Write the summary as JSON to this file (- for stdout)")
        ->type_name("FILE");
    app.add_option("--source", asked.source,
                   "Show lines of the source files below this folder beside counterexamples")
        ->check(CLI::ExistingDirectory)
        ->type_name("DIR");
    app.add_flag("-q,--quiet", asked.quiet, "Print nothing but errors");
    app.set_version_flag("--version", fmt::format("ringproof {}", ringproof::command::version()));
    app.footer(
        "exit codes: 0 everything holds · 1 something is refuted or not as expected · 2 usage or bad input · "
        "4 inconclusive · 5 no results · 77 everything was skipped");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : to_int(exit_code::usage);
    }
    if (asked.folder.empty() && asked.html.empty() && asked.junit.empty() && asked.sarif.empty() &&
        asked.json_file.empty()) {
        fmt::print(
            stderr,
            "ringproof report: say where to write: -o DIR, or --html, --junit, --sarif, --json FILE\n");
        return to_int(exit_code::usage);
    }
    try {
        return run(asked);
    } catch (const std::logic_error& error) {
        fmt::print(stderr, "ringproof report: internal error: {}\n", error.what());
        return to_int(exit_code::internal);
    } catch (const std::exception& error) {
        fmt::print(stderr, "ringproof report: {}\n", error.what());
        return to_int(exit_code::usage);
    }
}
