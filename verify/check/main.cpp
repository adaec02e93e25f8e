// SPDX-License-Identifier: Apache-2.0
// `ringproof check`: compiles an unmodified program so that the checker sees its accesses, links it with
// the checker in the place of the sanitizer's runtime, and runs it. All else happens in that program.

#include "../src/outcome/options.hpp"
#include "children.hpp"
#include "compile.hpp"

#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/file.hpp>
#include <ringproof/command/verb.hpp>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

namespace {

namespace fs = std::filesystem;
using ringproof::command::exit_code;
using namespace ringproof::verify;

struct command_line {
    std::vector<std::string> files, options, flags;
    std::string stray; ///< what looks like a file, and is no source
};

/// FILE… [options] [-- CFLAGS]: whatever ends like a source file, and is not an option's value, is one.
command_line split(int argc, char** argv) {
    command_line parts;
    bool value_follows = false;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word == "--") {
            parts.flags.assign(argv + i + 1, argv + argc);
            break;
        }
        if (!value_follows && !word.starts_with('-') && language_of(word) != language::none)
            parts.files.push_back(word);
        else
            parts.options.push_back(word);
        const auto dot = word.rfind('.');
        if (!value_follows && !word.starts_with('-') && language_of(word) == language::none &&
            dot != std::string::npos && dot + 1 < word.size() &&
            std::isalpha(static_cast<unsigned char>(word[dot + 1])))
            parts.stray = word;
        static const char* const with_value[] = {
            "--model",  "--time",       "--max-executions", "--replay", "--save-replay", "--json",
            "--junit",  "--sarif",      "--html",           "--color",  "--jobs",        "-j",
            "--rounds", "--max-events", "--random",         "--pct",    "--seed",        "--checkpoint",
            "--resume", "--assume",     "--exit-code"};
        value_follows = std::any_of(std::begin(with_value), std::end(with_value),
                                    [&](const char* o) { return word == o; });
    }
    return parts;
}

fs::path temporary_files() {
    const char* chosen = std::getenv("TMPDIR");
    return chosen && *chosen ? chosen : "/tmp";
}

/// A folder of our own that is gone when we are.
class temporary_folder {
  public:
    temporary_folder() {
        std::string pattern = (temporary_files() / "ringproof-check-XXXXXX").string();
        if (!mkdtemp(pattern.data()))
            throw ringproof::command::file_error(
                fmt::format("{}: cannot make a temporary folder: {}", pattern, std::strerror(errno)));
        path_ = pattern;
    }
    ~temporary_folder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;
    const fs::path& path() const { return path_; }

  private:
    fs::path path_;
};

int interrupted_before_the_search() {
    fmt::print(stderr, "interrupted: nothing was searched\n");
    return to_int(exit_code::interrupted);
}

/// The end of the checked program is ours, a crash of the checker an internal error.
int code_of(int status) {
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    if (was_interrupted()) return interrupted_before_the_search();
    if (WTERMSIG(status) == SIGPIPE) return 128 + SIGPIPE; // whoever read the output has seen enough
    fmt::print(stderr, "internal error: the checker ended with signal {}\n", WTERMSIG(status));
    return to_int(exit_code::internal);
}

/// The first few of many places.
std::string listed(const std::vector<std::string>& places) {
    constexpr std::size_t enough = 5;
    std::string text;
    for (std::size_t i = 0; i < std::min(enough, places.size()); ++i)
        text += (i == 0 ? "" : ", ") + places[i];
    if (places.size() > enough) text += fmt::format(" and {} more", places.size() - enough);
    return text;
}

int check(const command_line& parts, bool keep_ndebug) {
    for (const std::string& file : parts.files)
        if (!fs::is_regular_file(file)) {
            fmt::print(stderr, "error: {}: {}\n", file,
                       fs::exists(file) ? "is not a file" : std::strerror(ENOENT));
            return to_int(exit_code::usage);
        }
    const temporary_folder folder;
    const installation here = find_installation();
    const std::string program = (folder.path() / "program").string();
    std::vector<std::string> flags = parts.flags;
    if (!keep_ndebug) flags.emplace_back("-UNDEBUG");
    pass_signals_on();
    const auto made = compile(parts.files, flags, here, folder.path(), program);
    if (!made) return was_interrupted() ? interrupted_before_the_search() : to_int(exit_code::usage);
    unsetenv("RINGPROOF_CHECK_UNSEEN");
    unsetenv("RINGPROOF_CHECK_PROPERTY");
    if (!made->unseen.empty()) setenv("RINGPROOF_CHECK_UNSEEN", listed(made->unseen).c_str(), 1);
    unsetenv("RINGPROOF_CHECK_LIBRARIES");
    if (!made->libraries.empty()) setenv("RINGPROOF_CHECK_LIBRARIES", listed(made->libraries).c_str(), 1);
    if (made->can_give_up) setenv("RINGPROOF_CHECK_PROPERTY", "1", 1);
    setenv("RINGPROOF_CHECK_COMPILER", fmt::format("{}", fmt::join(made->compiled_by, ", ")).c_str(), 1);
    std::vector<std::string> arguments{program};
    arguments.insert(arguments.end(), parts.options.begin(), parts.options.end());
    std::string name;
    for (const std::string& file : parts.files) name += (name.empty() ? "" : " ") + file;
    setenv("RINGPROOF_CHECK_NAME", name.c_str(), 1);
    return code_of(run_and_wait(arguments, child_kind::checked_program));
}

int parse_and_check(int argc, char** argv) {
    const command_line parts = split(argc, argv);
    const std::string name = "ringproof check FILE.c[pp]... [OPTIONS] [-- CFLAGS]";
    if (!parts.stray.empty()) {
        fmt::print(stderr, "error: {}: no source in C or C++ (.c, .cpp, .cc, .cxx, .C, .c++)\n", parts.stray);
        return to_int(exit_code::usage);
    }
    // Before the compiler takes its time: are the options any good?
    const parsed_command parsed = parse_command(name, parts.options, true);
    if (parsed.exit >= 0) return parsed.exit;
    if (parts.files.empty()) {
        fmt::print(stderr, "error: no program: {}\n", name);
        return to_int(exit_code::usage);
    }
    return check(parts, parsed.options.keep_ndebug);
}

} // namespace

int main(int argc, char** argv) {
    return ringproof::command::run_verb("error", [&] { return parse_and_check(argc, argv); });
}
