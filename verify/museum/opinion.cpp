// SPDX-License-Identifier: Apache-2.0
#include "opinion.hpp"

#include "../check/children.hpp"

#include <ringproof/command/file.hpp>
#include <ringproof/command/temporary_folder.hpp>

#include <cctype>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fmt/format.h>
#include <sys/wait.h>

namespace ringproof::verify {
namespace {

using command::json;

constexpr int reported = 66;             ///< exit code of a run with a report
constexpr int timed_out = 124;           ///< of timeout(1)
constexpr const char* longest_run = "5"; ///< seconds

/// The compiler: $CXX or $CC, where ThreadSanitizer is asked for another.
std::string compiler_of(const std::string& source) {
    const bool is_c = source.ends_with(".c");
    const char* const named = std::getenv(is_c ? "CC" : "CXX");
    return named && *named ? named : is_c ? "gcc" : "g++";
}

/// What a run has shown; empty: nothing.
std::string shown_by(int status) {
    if (WIFSIGNALED(status)) return WTERMSIG(status) == SIGABRT ? "assertion failed" : "crash";
    switch (WEXITSTATUS(status)) {
    case 0:
        return "";
    case reported:
        return "data race";
    case timed_out:
    case 128 + SIGKILL:
        return "a run hangs";
    case 128 + SIGABRT:
        return "assertion failed";
    default:
        return WEXITSTATUS(status) > 128 ? "crash" : fmt::format("exit code {}", WEXITSTATUS(status));
    }
}

} // namespace

json opinion_without_run(const std::string& tool, const std::string& verdict, const std::string& message) {
    return {{"tool", tool}, {"runs", 0}, {"seconds", 0.0}, {"verdict", verdict}, {"message", message}};
}

bool for_linker(const std::string& flag) { return flag.starts_with("-Wl,") || flag.starts_with("-l"); }

std::string in_small_letters(std::string words) {
    for (char& c : words) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return words;
}

int run_into(const std::vector<std::string>& words, const std::string& output) {
    std::vector<std::string> shell{"/bin/sh", "-c", R"(out=$1; shift; exec "$@" >"$out" 2>&1)", "sh", output};
    shell.insert(shell.end(), words.begin(), words.end());
    return run_and_wait(shell);
}

std::vector<std::string> tsan_command(const showing& one, const std::string& to) {
    std::vector<std::string> words{
        compiler_of(one.of->driver), "-fsanitize=thread", "-O1", "-g", "-w", "-pthread"};
    if (!one.of->driver.ends_with(".c")) words.emplace_back("-std=c++20"); // as `ringproof check` compiles
    add_with_folders(words, one.of->flags, one);
    add_with_folders(words, one.shown->flags, one);
    words.insert(words.end(), {one.of->driver});
    add_with_folders(words, one.shown->files, one);
    words.insert(words.end(), {"-o", to});
    return words;
}

json ask_tsan(const showing& one, double seconds) {
    using clock = std::chrono::steady_clock;
    const command::temporary_folder folder("ringproof-museum-tsan");
    const std::string program = folder / "program", output = folder / "output.txt";
    if (run_into(tsan_command(one, program), output) != 0)
        return opinion_without_run("tsan", "failed",
                                   "it does not compile: " + command::read_text(output).substr(0, 400));
    const std::string options = fmt::format("TSAN_OPTIONS=exitcode={} halt_on_error=1", reported);
    const auto begin = clock::now();
    std::string shown;
    unsigned runs = 0;
    double taken = 0;
    while (shown.empty() && taken < seconds && !was_interrupted()) {
        ++runs;
        shown =
            shown_by(run_into({"/usr/bin/env", options, "timeout", "-k", "1", longest_run, program}, output));
        taken = std::chrono::duration<double>(clock::now() - begin).count();
    }
    json said = shown.empty() ? opinion_without_run("tsan", "no bug", "no report")
                              : opinion_without_run("tsan", "bug", shown);
    said["runs"] = runs;
    said["seconds"] = taken;
    return said;
}

std::string opinion_text(const json& opinion) {
    const std::string tool = opinion.at("tool"), verdict = opinion.at("verdict"),
                      message = opinion.at("message");
    if (verdict == "failed") return tool + ": " + message;
    if (verdict == "not expressible") return tool + ": not expressible: " + message;
    const double seconds = opinion.at("seconds");
    const std::uint64_t runs = opinion.at("runs");
    if (verdict == "bug")
        return fmt::format("{}: {} after {:.1f} s, in run {}", tool, message, seconds, runs);
    return fmt::format("{}: {} in {:.1f} s, {} runs{}", tool, message, seconds, runs,
                       opinion.value("all", false) ? ", which are all" : "");
}

} // namespace ringproof::verify
