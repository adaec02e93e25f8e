// SPDX-License-Identifier: Apache-2.0
#include <ringproof/command/child.hpp>
#include <ringproof/command/opinion.hpp>

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace ringproof::command {
namespace {

namespace fs = std::filesystem;

constexpr double about_seconds = 10;

/// A JSON object in what an adapter printed; null if there is none.
json object_in(const std::string& output) {
    const std::size_t begin = output.find('{');
    if (begin == std::string::npos) return nullptr;
    json all = json::parse(output.begin() + static_cast<std::ptrdiff_t>(begin), output.end(), nullptr, false);
    return all.is_object() ? all : json(nullptr);
}

std::string beginning(const std::string& text) {
    constexpr std::size_t most = 60;
    std::string line = text.substr(0, std::min(text.find('\n'), most));
    for (char& c : line)
        if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) > '~') c = '?';
    return line;
}

std::string_view install_line(std::string_view tool) {
    for (const known_opinion& one : known_opinions())
        if (one.name == tool) return one.install;
    return "";
}

/// Asks the adapter who it is. It may also say that the checker behind it is not there.
void introduce(opinion_source& source) {
    const opinion_answer answer = ask_opinion({source.program, "--about"}, about_seconds);
    const json& said = answer.said;
    source.state = "unusable";
    source.why = answer.trouble;
    const auto text = [&](const char* key, std::string& into) {
        const auto at = said.find(key);
        if (at == said.end() || !at->is_string()) return false;
        into = *at;
        return true;
    };
    if (source.why.empty() && text("absent", source.why)) {
        source.state = "absent";
        return;
    }
    if (source.why.empty() && text("unusable", source.why)) return;
    if (source.why.empty() && !(said.contains("schedulers") && said["schedulers"].is_array()))
        source.why = "it names no scheduler";
    if (!source.why.empty()) {
        source.why = fmt::format("{}: {}", source.program, source.why);
        return;
    }
    source.state = "ready";
    text("cannot_see", source.cannot_see);
    for (const json& one : said["schedulers"])
        if (one.is_string()) source.schedulers.push_back(one);
}

} // namespace

const std::vector<known_opinion>& known_opinions() {
    static const std::vector<known_opinion> all{
        {"relacy", "verify", "Relacy Race Detector, run-time schedules in C++",
         "git clone https://github.com/dvyukov/relacy, then configure with -DRINGPROOF_RELACY_ROOT=DIR"},
        {"cdschecker", "verify", "CDSChecker of 2013, for C11 and C++11",
         "git clone https://github.com/computersforpeace/model-checker, make CXX='g++ -std=gnu++11' there, "
         "then configure with -DRINGPROOF_CDSCHECKER_ROOT=DIR"},
        {"genmc", "verify", "GenMC, which explores each execution of a C program once",
         "git clone https://github.com/MPI-SWS/genmc, build it there, then export RINGPROOF_GENMC_ROOT=DIR"},
        {"tsan", "verify", "the compiler's ThreadSanitizer, under stress on this machine",
         "cmake --build build/release --target ringproof-verify-tsan"},
        {"herd7", "litmus", "herd7, the simulator of the herdtools",
         "opam install herdtools7, or export RINGPROOF_HERD7=PROGRAM"},
    };
    return all;
}

std::string own_program() {
    std::error_code error;
    return fs::read_symlink("/proc/self/exe", error).string();
}

opinion_source find_opinion(const std::string& folder, std::string_view asking, std::string_view tool) {
    const fs::path program = fs::path(folder) / fmt::format("{}-{}", asking, tool);
    std::error_code error;
    opinion_source found;
    found.tool = tool;
    found.install = install_line(tool);
    found.state = "absent";
    // A build that no longer finds the checker leaves its earlier program behind, and says so beside it.
    if (std::ifstream file(program.string() + ".missing"); file) {
        std::string state;
        std::getline(file, state);
        if (state == "unusable") found.state = state;
        found.why.assign(std::istreambuf_iterator<char>(file), {});
        while (!found.why.empty() && found.why.back() == '\n') found.why.pop_back();
        return found;
    }
    if (!fs::exists(program, error)) {
        found.why =
            fmt::format("there is no {}: this build has no adapter for it", program.filename().string());
        return found;
    }
    found.program = program.string();
    introduce(found);
    return found;
}

opinion_source find_opinion(const std::string& wanted) {
    const std::size_t equals = wanted.find('=');
    if (equals == std::string::npos) {
        const fs::path own = own_program();
        return find_opinion(own.parent_path().string(), own.filename().string(), wanted);
    }
    opinion_source found;
    found.tool = wanted.substr(0, equals);
    found.install = install_line(found.tool);
    found.program = wanted.substr(equals + 1);
    introduce(found);
    return found;
}

void check_opinions(const std::vector<std::string>& wanted, std::string_view verb) {
    std::string names;
    for (const known_opinion& one : known_opinions())
        if (one.verb == verb) names += (names.empty() ? "" : ", ") + std::string(one.name);
    for (const std::string& word : wanted) {
        const std::string name = word.substr(0, word.find('='));
        const auto& known = known_opinions();
        const auto at =
            std::find_if(known.begin(), known.end(), [&](const auto& one) { return one.name == name; });
        if (at == known.end())
            throw std::invalid_argument(
                fmt::format("--second-opinion knows no checker '{}'; it knows {}", name, names));
        if (at->verb != verb)
            throw std::invalid_argument(fmt::format("{} is asked by `ringproof {} --second-opinion {}`; here "
                                                    "it can be {}",
                                                    name, at->verb, name, names));
    }
}

opinion_answer ask_opinion(const std::vector<std::string>& words, double seconds) {
    const child_answer child = run_child(words, seconds);
    opinion_answer answer;
    answer.said = object_in(child.output);
    answer.exit_code = child.exit_code;
    answer.output = beginning(child.output);
    if (!child.ended)
        answer.trouble = child.why;
    else if (child.exit_code != 0)
        answer.trouble = fmt::format("it ended with exit code {}", child.exit_code);
    else if (child.output.empty())
        answer.trouble = "it printed nothing";
    else if (answer.said.is_null())
        answer.trouble = fmt::format("what it printed is no answer: '{}'", answer.output);
    return answer;
}

void print_skipped(const opinion_source& source, std::FILE* out) {
    if (!source.ready())
        fmt::print(out, "second opinion {}: skipped, {}: {}\n  to have it: {}\n", source.tool, source.state,
                   source.why, source.install);
}

json to_json(const opinion_source& source) {
    json all{{"tool", source.tool}, {"state", source.state}};
    if (!source.why.empty()) all["why"] = source.why;
    if (!source.install.empty()) all["install"] = source.install;
    if (!source.cannot_see.empty()) all["cannot_see"] = source.cannot_see;
    return all;
}

} // namespace ringproof::command
