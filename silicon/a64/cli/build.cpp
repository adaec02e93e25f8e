// SPDX-License-Identifier: Apache-2.0
#include "build.hpp"

#include "compiler.hpp"
#include "runtime_objects.hpp"

#include <ringproof/command/child.hpp>

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <stdexcept>
#include <string_view>

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

/// Whether a flag is of no use to who compiles and does not link, and is warned of.
bool is_for_the_linker(const std::string& flag) {
    constexpr std::array<std::string_view, 3> begins{"-l", "-L", "-Wl,"}, ends{".o", ".a", ".so"};
    return std::any_of(begins.begin(), begins.end(), [&](auto b) { return flag.starts_with(b); }) ||
           std::any_of(ends.begin(), ends.end(), [&](auto e) { return flag.ends_with(e); });
}

words flags_of(const build_order& order) {
    words flags = order.flags;
    if (!order.keep_ndebug) flags.emplace_back("-UNDEBUG");
    return flags;
}

/// Each file by itself: a cache of a compiler's, such as ccache, has objects and no programs.
/// @return the objects; none: a file does not compile
std::vector<fs::path> objects_of(const build_order& order, const std::string& compiler,
                                 const fs::path& folder) {
    words flags = flags_of(order);
    flags.erase(std::remove_if(flags.begin(), flags.end(), is_for_the_linker), flags.end());
    std::vector<fs::path> objects;
    bool all = true;
    for (const std::string& file : order.files) {
        words command = begin(compiler);
        command.emplace_back("-g");
        command.insert(command.end(), for_all.begin(), for_all.end());
        add_source(command, file);
        command.insert(command.end(), flags.begin(), flags.end());
        objects.push_back(folder / fmt::format("{}.o", objects.size()));
        command.insert(command.end(), {"-c", "-o", objects.back()});
        all = run(command) && all;
    }
    return all ? objects : std::vector<fs::path>();
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
    const std::vector<fs::path> objects = objects_of(order, compiler, folder);
    const words flags = flags_of(order);
    const fs::path program = folder / "program";
    words command = begin(compiler);
    command.insert(command.end(), for_all.begin(), for_all.end());
    command.insert(command.end(), objects.begin(), objects.end());
    command.insert(command.end(), flags.begin(), flags.end());
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
    if (!objects.empty() && run(command)) return program;
    fmt::print(
        stderr,
        "error: it does not compile and link for AArch64; docs/armv8.md says what it is linked with\n");
    return {};
}

} // namespace ringproof::silicon::a64
