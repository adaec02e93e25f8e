// SPDX-License-Identifier: Apache-2.0
#include "compiler.hpp"

#include <ringproof/command/child.hpp>

#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <sstream>

namespace ringproof::silicon::a64 {

namespace fs = std::filesystem;

bool is_cxx(const std::string& file) {
    const std::string ending = fs::path(file).extension();
    return ending != ".c";
}

words split(const std::string& compiler) {
    std::istringstream text(compiler);
    return {std::istream_iterator<std::string>(text), {}};
}

words begin(const std::string& compiler) {
    words line = split(compiler);
    // It links and compiles by one set of flags, and warns of those that the other half needs.
    if (fs::path(line.front()).filename().string().starts_with("clang"))
        line.emplace_back("-Wno-unused-command-line-argument");
    if (line.front().find('/') == std::string::npos) line.front() = command::program_in_path(line.front());
    return line;
}

void add_source(words& command, const std::string& file) {
    if (is_cxx(file))
        command.push_back(file);
    else
        command.insert(command.end(), {"-x", "c", file, "-x", "none"});
}

bool run(const words& line) {
    constexpr double longest = 3600;
    const command::child_answer answer = command::run_child(line, longest, command::heard::output_and_errors);
    fmt::print(stderr, "{}", answer.output);
    if (!answer.ended) fmt::print(stderr, "error: {}: {}\n", line.front(), answer.why);
    return answer.ended && answer.exit_code == 0;
}

} // namespace ringproof::silicon::a64
