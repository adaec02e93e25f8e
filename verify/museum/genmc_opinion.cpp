// SPDX-License-Identifier: Apache-2.0
#include "genmc_opinion.hpp"

#include "genmc.hpp"
#include "opinion.hpp"

#include <ringproof/command/child.hpp>
#include <ringproof/command/temporary_folder.hpp>

#include <chrono>
#include <filesystem>
#include <fmt/format.h>

namespace ringproof::verify {
namespace {

using command::json;

constexpr double compile_seconds = 60; ///< for each command

/// LLVM's program of this name, of the version that Debian 12 has, and GenMC is tried with.
std::string of_llvm(const std::string& name) {
    return command::program_in_path(name + "-14").empty() ? name : name + "-14";
}

/// Why it cannot be run: the line with "error", or the last one.
std::string complaint(const std::string& said) {
    std::size_t at = said.find("rror: ");
    if (at == std::string::npos) at = said.find("ERROR: ");
    const std::size_t end = said.find_last_not_of('\n');
    const std::size_t from =
        said.rfind('\n', at == std::string::npos ? end : at); // npos + 1: it begins the text
    return said.substr(from + 1, said.find('\n', from + 1) - from - 1).substr(0, 300);
}

/// Compiles it. @return why that fails; empty: it does not
std::string compile(const showing& one, const std::string& headers, const std::string& folder) {
    for (std::vector<std::string> words : genmc_compile_commands(one, headers, folder)) {
        const std::string program = command::program_in_path(words[0]);
        if (program.empty()) return words[0] + " is not in PATH: install clang-14 and llvm-14";
        words[0] = program;
        const command::child_answer done =
            command::run_child(words, compile_seconds, command::heard::output_and_errors);
        if (!done.ended) return words[0] + ": " + done.why;
        if (done.exit_code != 0) return complaint(done.output);
    }
    return "";
}

/// What a run says of it.
json explore(const std::vector<std::string>& words, double seconds) {
    const auto begin = std::chrono::steady_clock::now();
    const command::child_answer run = command::run_child(words, seconds, command::heard::output_and_errors);
    const opinions::genmc_answer answer = opinions::read_genmc(run.output);
    json said = opinion_without_run("genmc", "no bug", "no report");
    said["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    said["runs"] =
        answer.complete + answer.blocked + (answer.error.empty() ? 0 : 1); // the one that fails is neither
    if (run.timed_out) return said;
    if (!run.ended) return opinion_without_run("genmc", "failed", run.why + ": " + complaint(run.output));
    if (!answer.error.empty()) {
        said["verdict"] = "bug";
        said["message"] =
            in_small_letters(answer.error.substr(0, answer.error.find(": "))); // without the assertion
    } else if (answer.finished && answer.complete > 0) {
        said["all"] = true;
    } else {
        return opinion_without_run("genmc", "failed", complaint(run.output));
    }
    return said;
}

} // namespace

std::optional<std::string> genmc_model(const std::string& model) {
    if (model == "sc" || model == "tso" || model == "rc11") return "--" + model;
    return std::nullopt;
}

std::vector<std::vector<std::string>> genmc_compile_commands(const showing& one, const std::string& headers,
                                                             const std::string& folder) {
    std::vector<std::string> flags{"-include", "{museum}/standin/genmc/prelude.h"};
    flags.insert(flags.end(), one.of->flags.begin(), one.of->flags.end());
    flags.insert(flags.end(), one.shown->flags.begin(), one.shown->flags.end());
    std::erase_if(flags, for_linker);
    std::vector<std::string> files{one.of->driver}, link{of_llvm("llvm-link"), "-o", folder + "/linked.bc"};
    add_with_folders(files, one.shown->files, one);
    std::vector<std::vector<std::string>> all;
    for (const std::string& file : files) {
        link.push_back(fmt::format("{}/{}.bc", folder, all.size()));
        // As GenMC itself compiles, whose file system's headers want a size.
        std::vector<std::string> words{of_llvm("clang"),
                                       "-c",
                                       "-emit-llvm",
                                       "-g",
                                       "-w",
                                       "-fno-discard-value-names",
                                       "-Xclang",
                                       "-disable-O0-optnone",
                                       "-D__CONFIG_GENMC_INODE_DATA_SIZE=64",
                                       "-I" + headers};
        add_with_folders(words, flags, one);
        words.insert(words.end(), {file, "-o", link.back()});
        all.push_back(std::move(words));
    }
    all.push_back(std::move(link));
    all.push_back({of_llvm("opt"), "--internalize", "--internalize-public-api-list=main", "--globaldce",
                   folder + "/linked.bc", "-o", folder + "/exhibit.bc"});
    return all;
}

std::vector<std::string> genmc_command(const showing& one, const std::string& genmc,
                                       const std::string& code) {
    std::vector<std::string> words{genmc, genmc_model(one.of->model).value_or("--rc11"),
                                   "--disable-estimation", "--disable-mm-detector",
                                   "--input-from-bitcode-file"};
    // The exhibit's bug lies behind races that others have: those of volatile accesses, and of words that are plain to C.
    if (!one.of->shows.starts_with("data race")) words.emplace_back("--disable-race-detection");
    words.push_back(code);
    return words;
}

json ask_genmc(const showing& one, double seconds) {
    if (!one.of->driver.ends_with(".c"))
        return opinion_without_run("genmc", "not expressible", "it is C++, and GenMC reads C");
    if (!genmc_model(one.of->model))
        return opinion_without_run("genmc", "not expressible", "GenMC has no model " + one.of->model);
    const opinions::genmc_tool tool = opinions::find_genmc();
    if (const std::string why = tool.absent + tool.unusable; !why.empty())
        return opinion_without_run("genmc", "failed", why);
    if (tool.headers.empty())
        return opinion_without_run("genmc", "failed",
                                   "no genmc_internal.h in include, beside " + tool.program);
    const command::temporary_folder folder("ringproof-museum-genmc");
    const std::string why = compile(one, tool.headers, folder.path().string());
    if (!why.empty()) return opinion_without_run("genmc", "failed", "it does not compile: " + why);
    return explore(genmc_command(one, tool.program, folder / "exhibit.bc"), seconds);
}

} // namespace ringproof::verify
