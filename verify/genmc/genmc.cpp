// SPDX-License-Identifier: Apache-2.0
#include "genmc.hpp"

#include <ringproof/command/child.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace ringproof::opinions {
namespace {

namespace fs = std::filesystem;

constexpr double version_seconds = 5;

/// GenMC's program; empty: `found` says what is missing.
std::string locate(genmc_tool& found) {
    if (const char* root = std::getenv("RINGPROOF_GENMC_ROOT"); root && *root) {
        for (const char* folder : {".", "bin", "build"})
            if (const std::string program = (fs::path(root) / folder / "genmc").lexically_normal().string();
                command::is_program(program))
                return program;
        found.unusable = std::string("RINGPROOF_GENMC_ROOT is ") + root +
                         ", where no program genmc is: build it there (autoreconf -i, ./configure, make)";
        return "";
    }
    std::string program = command::program_in_path("genmc");
    if (program.empty())
        found.absent = "RINGPROOF_GENMC_ROOT names no folder, and no program genmc is in PATH";
    return program;
}

/// The folder of GenMC's headers, of a build or an installation.
std::string headers_of(const std::string& program) {
    const fs::path at = fs::absolute(program).parent_path();
    for (const char* folder : {"include", "../include", "../include/genmc"})
        if (const fs::path headers = (at / folder).lexically_normal();
            fs::exists(headers / "genmc_internal.h"))
            return headers.string();
    return "";
}

std::uint64_t number_behind(const std::string& said, std::string_view begin) {
    return std::strtoull(behind(said, begin).c_str(), nullptr, 10);
}

} // namespace

std::string behind(const std::string& said, std::string_view begin) {
    const std::size_t at = said.find(begin);
    if (at == std::string::npos) return "";
    const std::size_t from = at + begin.size();
    return said.substr(from, said.find('\n', from) - from);
}

genmc_tool find_genmc() {
    genmc_tool found;
    found.program = locate(found);
    if (found.program.empty()) return found;
    const command::child_answer answer =
        command::run_child({found.program, "--version"}, version_seconds, command::heard::output_and_errors);
    found.version = behind(answer.output, "GenMC v");
    found.version.resize(std::min(found.version.find(' '), found.version.size()));
    found.headers = headers_of(found.program);
    if (answer.ended && answer.exit_code == 0 && !found.version.empty()) return found;
    found.unusable = found.program + ": " +
                     (answer.ended ? "it does not tell its version, so it is no GenMC" : answer.why);
    return found;
}

genmc_answer read_genmc(const std::string& said) {
    genmc_answer read;
    const std::string error = behind(said, "Error: "), assertion = behind(said, "Assertion violation: ");
    read.error = assertion.empty() ? error.substr(0, error.find('!')) : "assertion violation: " + assertion;
    read.finished = said.find("No errors were detected.") != std::string::npos;
    read.complete = number_behind(said, "Number of complete executions explored: ");
    read.blocked = number_behind(said, "Number of blocked executions seen: ");
    if (error.empty()) read.compiler_error = behind(said, "rror: "); // "error: " of clang
    return read;
}

} // namespace ringproof::opinions
