// SPDX-License-Identifier: Apache-2.0
#include "build.hpp"

#include "compiler.hpp"
#include "runtime_objects.hpp"

#include <ringproof/command/child.hpp>

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace ringproof::silicon::a64 {
namespace {

namespace fs = std::filesystem;

/// Whether the compiler has this library; it says where.
bool has_library(const std::string& compiler, const std::string& file) {
    constexpr double longest = 60;
    words line = begin(compiler);
    line.push_back("-print-file-name=" + file);
    const command::child_answer answer = command::run_child(line, longest);
    return answer.ended && answer.output.find('/') != std::string::npos;
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
    const std::vector<fs::path> runtime = runtime_objects({compiler, order.lse, cxx}, folder);
    if (runtime.empty()) return {};
    const fs::path program = folder / "program";
    words command = begin(compiler);
    command.emplace_back("-g");
    command.insert(command.end(), for_all.begin(), for_all.end());
    for (const std::string& file : order.files) add_source(command, file);
    command.insert(command.end(), order.flags.begin(), order.flags.end());
    if (!order.keep_ndebug) command.emplace_back("-UNDEBUG");
    command.insert(command.end(), runtime.begin(), runtime.end());
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
