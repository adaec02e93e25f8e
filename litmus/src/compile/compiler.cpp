// SPDX-License-Identifier: Apache-2.0
#include "compiler.hpp"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

namespace ringproof::litmus::compiled {
namespace {

std::string content_of(const std::string& file) {
    std::ifstream in(file);
    std::ostringstream all;
    all << in.rdbuf();
    return all.str();
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// What the compiler prints when it is asked this; "" if it prints nothing.
std::string asked(const compiler& c, const char* question, const scratch_folder& folder) {
    std::vector<std::string> words = c.program;
    words.insert(words.end(), c.flags.begin(), c.flags.end());
    words.emplace_back(question);
    const std::string out = folder.path() + "/answer", log = folder.path() + "/complaint";
    const int status = run_command(words, log, out);
    if (status == -ENOENT || status == 127)
        throw no_compiler(fmt::format(
            "the compiler '{}' was not found: install it (Debian: apt-get install {}), or name another",
            c.program.front(), c.program.front()));
    if (status < 0)
        throw std::runtime_error(
            fmt::format("'{}' cannot be run: {}", c.program.front(), std::strerror(-status)));
    return first_line(content_of(out));
}

std::string first_error(const std::string& complaints) {
    std::istringstream in(complaints);
    std::string line;
    while (std::getline(in, line))
        if (line.find("rror") != std::string::npos) return line;
    return first_line(complaints);
}

} // namespace

compiler find_compiler(const std::string& command) {
    compiler c;
    c.command = command;
    std::istringstream words(command);
    for (std::string word; words >> word;)
        (word[0] == '-' || !c.flags.empty() ? c.flags : c.program).push_back(word);
    if (c.program.empty())
        throw std::runtime_error(
            fmt::format("--compile '{}' names no compiler: write it before its flags", command));
    const scratch_folder folder;
    const std::string triple = asked(c, "-dumpmachine", folder);
    c.target = find_machine(triple);
    if (!c.target)
        throw std::runtime_error(
            triple.empty()
                ? fmt::format("'{} -dumpmachine' prints no target: expected gcc or clang", command)
                : fmt::format("'{}' compiles for '{}': expected aarch64, riscv64 or x86_64 (clang takes "
                              "--target=aarch64-linux-gnu)",
                              command, triple));
    c.version = asked(c, "--version", folder);
    return c;
}

translation translate(const compiler& c, const std::string& text, const scratch_folder& folder) {
    static std::atomic<unsigned> count{0};
    const std::string stem = fmt::format("{}/unit{}", folder.path(), count++);
    const std::string source = stem + ".c", result = stem + ".s", log = stem + ".log";
    std::ofstream(source) << text;
    std::vector<std::string> words = c.program;
    // Before the user's own flags, which may say otherwise.
    for (const char* flag : {"-std=gnu11", "-w", "-fno-pie", "-fno-stack-protector", "-fomit-frame-pointer",
                             "-fno-asynchronous-unwind-tables", "-fno-strict-aliasing"})
        words.emplace_back(flag);
    words.insert(words.end(), c.target->flags.begin(), c.target->flags.end());
    words.insert(words.end(), c.flags.begin(), c.flags.end());
    for (const std::string& word :
         {std::string("-x"), std::string("c"), std::string("-S"), std::string("-o"), result, source})
        words.push_back(word);
    translation t;
    const int status = run_command(words, log);
    if (status == 0)
        t.assembly = content_of(result);
    else if (t.complaint = first_error(content_of(log)); t.complaint.empty())
        t.complaint = fmt::format("'{}' ended with exit code {}", c.command, status);
    for (const std::string& file : {source, result, log}) std::remove(file.c_str());
    return t;
}

} // namespace ringproof::litmus::compiled
