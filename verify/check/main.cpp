// SPDX-License-Identifier: Apache-2.0
// `ringproof check`: compiles an unmodified program so that the checker sees its accesses, links it with
// the checker in the place of the sanitizer's runtime, and runs it. All else happens in that program.

#include "../src/outcome/invocation.hpp"
#include "../src/outcome/options.hpp"
#include "children.hpp"
#include "compile_commands.hpp"
#include "many_programs.hpp"
#include "one_program.hpp"

#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/repository.hpp>
#include <ringproof/command/verb.hpp>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <optional>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using ringproof::command::exit_code;
using namespace ringproof::verify;

constexpr const char* usage = "ringproof check [FILE.c[pp]... | --project TOML] [OPTIONS] [-- CFLAGS]";

struct command_line {
    std::vector<std::string> whole; ///< as in results
    std::vector<std::string> files, options, flags;
    std::vector<std::string> with; ///< sources of a second program
    std::string stray;             ///< what looks like a file, and is no source
};

/// FILE… [options] [-- CFLAGS]: whatever ends like a source file, and is not an option's value, is one.
command_line split(int argc, char** argv) {
    command_line parts;
    parts.whole = {"ringproof", "check"};
    if (argc > 1) parts.whole.insert(parts.whole.end(), argv + 1, argv + argc);
    bool value_follows = false, value_may_follow = false;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--") {
            parts.flags.assign(argv + i + 1, argv + argc);
            break;
        }
        if (value_follows && parts.options.back() == "--with") parts.with.push_back(word);
        if (word.starts_with("--with=")) parts.with.push_back(word.substr(7));
        const bool source = language_of(word) != language::none && !word.starts_with('-');
        if (source && !value_follows)
            parts.files.push_back(word);
        else
            parts.options.push_back(word);
        const auto dot = word.rfind('.');
        if (!value_follows && !value_may_follow && !source && !word.starts_with('-') &&
            dot != std::string::npos && dot + 1 < word.size() &&
            std::isalpha(static_cast<unsigned char>(word[dot + 1])))
            parts.stray = word;
        const option_shape* shape = shape_of(word);
        const bool apart = !value_follows && shape && word == shape->name;
        value_follows = apart && shape->takes == option_shape::value::needed;
        value_may_follow = apart && shape->takes == option_shape::value::optional;
    }
    return parts;
}

int check_files(const command_line& parts, const command_options& asked) {
    checked_program what;
    for (const auto* const files : {&parts.files, &parts.with})
        for (const std::string& file : *files) {
            if (!fs::is_regular_file(file)) {
                fmt::print(stderr, "error: {}: {}\n", file,
                           fs::exists(file) ? "is not a file" : std::strerror(ENOENT));
                return to_int(exit_code::usage);
            }
            if (language_of(file) == language::none) { // as is said of the others
                fmt::print(stderr, "error: {}: no source in C or C++ ({})\n", file, source_endings);
                return to_int(exit_code::usage);
            }
            what.name += (what.name.empty() ? "" : files == &parts.with ? " with " : " ") + file;
            (files == &parts.with ? what.second : what.sources)
                .push_back(asked.compile_commands.empty() ? source_file{file}
                                                          : source_in_database(asked.compile_commands, file));
        }
    what.flags = parts.flags;
    what.options = parts.options;
    what.command = parts.whole;
    what.replay = {"ringproof", "check"};
    what.replay.insert(what.replay.end(), parts.files.begin(), parts.files.end());
    what.replay.insert(what.replay.end(), parts.options.begin(), parts.options.end());
    if (!parts.flags.empty()) what.replay.emplace_back("--");
    what.replay.insert(what.replay.end(), parts.flags.begin(), parts.flags.end());
    what.keep_ndebug = asked.keep_ndebug;
    what.dialect = asked.dialect;
    return check_program(what);
}

/// The file that lists the programs; empty: there is none.
fs::path project_of(const command_options& asked) {
    if (!asked.project.empty())
        return fs::is_directory(asked.project) ? fs::path(asked.project) / project_file
                                               : fs::path(asked.project);
    const fs::path folder = ringproof::command::folder_above_with(fs::current_path(), project_file);
    return folder.empty() ? folder : folder / project_file;
}

/// Where the program of the verb `armv8` is to run instead, which takes what follows `--model armv8`.
/// @return its words, without those two; nothing where another model is asked for
std::optional<std::vector<std::string>> for_armv8(int argc, char** argv) {
    std::vector<std::string> words(argv + 1, argv + argc);
    const auto flags = std::find(words.begin(), words.end(), "--");
    auto at = std::find(words.begin(), flags, "--model=armv8");
    if (at != flags) {
        words.erase(at);
        return words;
    }
    at = std::adjacent_find(words.begin(), flags, [](const std::string& a, const std::string& b) {
        return (a == "--model" || a == "--models") && b == "armv8";
    });
    if (at == flags) return {};
    words.erase(at, at + 2);
    return words;
}

int run_armv8(std::vector<std::string> words) {
    const fs::path program = fs::canonical("/proc/self/exe").parent_path() / "ringproof-armv8";
    words.insert(words.begin(), program);
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execv(program.c_str(), arguments.data());
    fmt::print(stderr,
               "error: --model armv8: {}: {}. It is built where VIXL is found (in Debian: libvixl-dev)\n",
               program.filename().string(), std::strerror(errno));
    return to_int(exit_code::skipped);
}

int parse_and_check(int argc, char** argv) {
    if (auto words = for_armv8(argc, argv)) return run_armv8(std::move(*words));
    const command_line parts = split(argc, argv);
    if (!parts.stray.empty()) {
        fmt::print(stderr, "error: {}: no source in C or C++ ({})\n", parts.stray, source_endings);
        return to_int(exit_code::usage);
    }
    // Before the compiler takes its time: are the options any good?
    const parsed_command parsed = parse_command(usage, parts.options, true);
    if (parsed.exit >= 0) return parsed.exit;
    const command_options& asked = parsed.options;
    const bool listed = !asked.project.empty() || !asked.programs.empty() || asked.budget > 0;
    if (!parts.files.empty() && listed) {
        fmt::print(stderr,
                   "error: --project, --program and --budget are for the programs of a {}, not for files\n",
                   project_file);
        return to_int(exit_code::usage);
    }
    pass_signals_on();
    if (!parts.files.empty()) return check_files(parts, asked);
    const fs::path project = project_of(asked);
    if (project.empty()) {
        fmt::print(stderr, "error: no program: name its files, or list programs in a {} here or above: {}\n",
                   project_file, usage);
        return to_int(exit_code::usage);
    }
    return check_project(read_project(project), parts.options, parts.flags, parts.whole);
}

} // namespace

int main(int argc, char** argv) {
    return ringproof::command::run_verb("error", [&] { return parse_and_check(argc, argv); });
}
