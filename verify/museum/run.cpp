// SPDX-License-Identifier: Apache-2.0
#include "run.hpp"

#include "../check/children.hpp"
#include "judge.hpp"

#include <ringproof/command/file.hpp>
#include <ringproof/command/repository.hpp>
#include <ringproof/command/temporary_folder.hpp>

#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <utility>

namespace ringproof::verify {
namespace {

namespace fs = std::filesystem;
using command::json;

json result_without_search(const showing& one, std::string_view verdict, const std::string& message) {
    return {{"model", one.of->model},
            {"verdict", verdict},
            {"message", message},
            {"executions", 0},
            {"file", command::path_in_results(one.of->driver)},
            {"line", 1}};
}

/// Runs the checker with its output in a file: a shell leaves its place to it, so that signals come through.
void run_into(const std::vector<std::string>& words, const std::string& output) {
    std::vector<std::string> shell{"/bin/sh", "-c", R"(out=$1; shift; exec "$@" >"$out" 2>&1)", "sh", output};
    shell.insert(shell.end(), words.begin(), words.end());
    run_and_wait(shell);
}

} // namespace

void add_with_folders(std::vector<std::string>& to, const std::vector<std::string>& words,
                      const showing& one) {
    const std::array<std::pair<std::string_view, std::string>, 2> marks{
        {{"{source}", one.source.folder.string()},
         {"{museum}", fs::path(one.of->driver).parent_path().string()}}};
    for (std::string word : words) {
        for (const auto& [mark, folder] : marks)
            if (const auto at = word.find(mark); at != std::string::npos)
                word.replace(at, mark.size(), folder);
        to.push_back(std::move(word));
    }
}

std::string name_of(const showing& one) {
    return one.of->name + (one.broken ? ", before the fix" : ", after the fix");
}

std::vector<std::string> check_command(const showing& one, double seconds) {
    std::vector<std::string> words{"ringproof", "check", one.of->driver};
    add_with_folders(words, one.shown->files, one);
    words.insert(words.end(), {"--model", one.of->model, "--time", fmt::format("{:g}", seconds)});
    words.insert(words.end(), one.of->options.begin(), one.of->options.end());
    words.insert(words.end(), {"--", "-w"}); // others' code: its warnings are not ours
    add_with_folders(words, one.of->flags, one);
    add_with_folders(words, one.shown->flags, one);
    return words;
}

shown_result run_showing(const showing& one, const std::string& checker, double seconds) {
    shown_result made;
    json& result = made.result;
    if (!one.source.absent.empty()) {
        result = result_without_search(one, "skipped", one.source.absent);
    } else {
        const command::temporary_folder folder("ringproof-museum");
        const std::string document = folder / "results.json", output = folder / "output.txt";
        const std::vector<std::string> typed = check_command(one, seconds);
        std::vector<std::string> words{checker, "--json", document, "--color", "never"};
        words.insert(words.end(), typed.begin() + 2, typed.end());
        run_into(words, output);
        made.output = command::read_text(output);
        if (fs::exists(document)) {
            const json all = command::read_document(document);
            result = all.at("results").at(0);
            result["command"] = typed;
            made.compiler = all.at("environment").value("program_compiler", "");
        } else {
            result = result_without_search(one, "error", "no result: --verbose shows the compiler's words");
        }
        judge(result, one.broken, one.of->shows);
    }
    result["name"] = name_of(one);
    result["exhibit"] = {{"name", one.of->name}, {"fixed", !one.broken}, {"shows", one.of->shows}};
    if (one.broken)
        for (const finder& other : one.of->found_by)
            result["exhibit"]["found_by"][other.tool] = other.seconds;
    if (!one.source.version.empty()) result["exhibit"]["source"] = one.source.version;
    return made;
}

} // namespace ringproof::verify
