// SPDX-License-Identifier: Apache-2.0
#include "build.hpp"

#include <ringproof/command/child.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace ringproof::silicon::a64 {
namespace {

namespace fs = std::filesystem;
using words = std::vector<std::string>;

bool is_cxx(const std::string& file) {
    const std::string ending = fs::path(file).extension();
    return ending != ".c";
}

/// The runtime's sources, beside this program or installed.
fs::path runtime_folder() {
    const fs::path here = fs::canonical("/proc/self/exe").parent_path();
    for (const fs::path& folder : {fs::path(RINGPROOF_A64_RUNTIME), here / RINGPROOF_A64_RUNTIME_INSTALLED})
        if (!folder.empty() && fs::exists(folder / "start.c")) return folder;
    throw std::runtime_error(
        "the sources of the runtime for AArch64 are missing: install ringproof-tools again");
}

/// "clang --target=aarch64-linux-gnu" is two words.
words split(const std::string& compiler) {
    std::istringstream text(compiler);
    return {std::istream_iterator<std::string>(text), {}};
}

/// What a command begins with.
words begin(const std::string& compiler) {
    words line = split(compiler);
    // It links and compiles by one set of flags, and warns of those that the other half needs.
    if (fs::path(line.front()).filename().string().starts_with("clang"))
        line.emplace_back("-Wno-unused-command-line-argument");
    if (line.front().find('/') == std::string::npos) line.front() = command::program_in_path(line.front());
    return line;
}

/// @return whether it ended with 0; what it says goes to standard error
bool run(const words& line) {
    constexpr double longest = 3600;
    const command::child_answer answer = command::run_child(line, longest, command::heard::output_and_errors);
    fmt::print(stderr, "{}", answer.output);
    if (!answer.ended) fmt::print(stderr, "error: {}: {}\n", line.front(), answer.why);
    return answer.ended && answer.exit_code == 0;
}

/// Whether the compiler has this library; it says where.
bool has_library(const std::string& compiler, const std::string& file) {
    constexpr double longest = 60;
    words line = begin(compiler);
    line.push_back("-print-file-name=" + file);
    const command::child_answer answer = command::run_child(line, longest);
    return answer.ended && answer.output.find('/') != std::string::npos;
}

/// What the program needs to run as the checker runs it; user's flags may add to that.
const words for_all{"-fno-pic", "-fno-stack-protector", "-ffunction-sections"};

const char* const runtime_files[] = {"start.c", "conditions.c", "shared.c", "library.c", "cxx.cpp"};

/// A compiler of C++ takes what ends with .c for C++, too.
void add_source(words& command, const std::string& file) {
    if (is_cxx(file))
        command.push_back(file);
    else
        command.insert(command.end(), {"-x", "c", file, "-x", "none"});
}

bool compile_runtime(const std::string& compiler, const build_order& order, bool cxx,
                     const fs::path& folder) {
    const fs::path sources = runtime_folder();
    for (const std::string name : runtime_files) {
        if (!cxx && is_cxx(name)) continue;
        words command = begin(compiler);
        command.insert(command.end(),
                       {"-O2", "-w", "-mno-outline-atomics", "-c", "-o", folder / (name + ".o")});
        command.insert(command.end(), for_all.begin(), for_all.end());
        if (is_cxx(name))
            command.insert(command.end(), {"-std=c++20", "-fno-exceptions"});
        else
            command.insert(command.end(), {"-ffreestanding", "-fno-builtin"});
        if (order.lse) command.emplace_back("-DRINGPROOF_LSE=1");
        add_source(command, sources / name);
        if (!run(command)) return false;
    }
    return true;
}

} // namespace

std::string compiler_for(const build_order& order) {
    const bool cxx = std::any_of(order.files.begin(), order.files.end(), is_cxx);
    const std::string name = !order.compiler.empty() ? order.compiler
                             : cxx                   ? "aarch64-linux-gnu-g++"
                                                     : "aarch64-linux-gnu-gcc";
    const words parts = split(name);
    if (parts.empty()) throw std::invalid_argument("--cc: names no compiler");
    const bool there = parts.front().find('/') != std::string::npos
                           ? command::is_program(parts.front())
                           : !command::program_in_path(parts.front()).empty();
    if (there) return name;
    if (!order.compiler.empty())
        throw std::invalid_argument(fmt::format("--cc: {} is not here", parts.front()));
    throw no_compiler(fmt::format(
        "skipped: {} is not here: install g++-aarch64-linux-gnu, or name another compiler with --cc", name));
}

fs::path build(const build_order& order, const fs::path& folder) {
    const std::string compiler = compiler_for(order);
    const bool cxx = std::any_of(order.files.begin(), order.files.end(), is_cxx);
    if (!compile_runtime(compiler, order, cxx, folder)) return {};
    const fs::path program = folder / "program";
    words command = begin(compiler);
    command.emplace_back("-g");
    command.insert(command.end(), for_all.begin(), for_all.end());
    for (const std::string& file : order.files) add_source(command, file);
    command.insert(command.end(), order.flags.begin(), order.flags.end());
    if (!order.keep_ndebug) command.emplace_back("-UNDEBUG");
    for (const std::string name : runtime_files)
        if (cxx || !is_cxx(name)) command.push_back(folder / (name + ".o"));
    // Atomics of 16 bytes call it.
    const char* const atomics = has_library(compiler, "libatomic.a") ? "-latomic" : "-lgcc";
    command.insert(command.end(),
                   {"-static", "-no-pie", "-nostartfiles", "-nostdlib", "-Wl,--gc-sections",
                    // Of what the runtime does not have, the libraries' own code, as it is; ours comes first.
                    "-Wl,-z,muldefs", "-Wl,--start-group", cxx ? "-lstdc++" : "-lgcc", atomics, "-lgcc",
                    "-lgcc_eh", "-lc", "-Wl,--end-group", "-Wl,-Ttext-segment=0x10000000",
                    "-Wl,-e,__ringproof_main",
                    "-Wl,--build-id=none", // which depends on the working folder; a replay knows its program
                    "-o", program});
    if (run(command)) return program;
    fmt::print(
        stderr,
        "error: it does not compile and link for AArch64; docs/armv8.md says what it is linked with\n");
    return {};
}

} // namespace ringproof::silicon::a64
