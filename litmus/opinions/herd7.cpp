// SPDX-License-Identifier: Apache-2.0
// herd7 as a second opinion of `ringproof litmus`. Its own models are asked for, so that nothing but the test is ours. It is
// looked for when it is asked, in RINGPROOF_HERD7 or in PATH. The Linux kernel's model is not herd7's: it is the kernel's
// folder tools/memory-model, which RINGPROOF_LINUX_MODEL names.
//
//     PROGRAM --about                                   who it is, as JSON
//     PROGRAM --scenario FILE --scheduler MODEL --time S    simulates, and prints what it has found, as JSON

#include <ringproof/command/child.hpp>
#include <ringproof/command/document.hpp>
#include <ringproof/command/exit_code.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using ringproof::command::child_answer;
using ringproof::command::exit_code;
using ringproof::command::json;

constexpr double version_seconds = 5;

/// Our names of models, and herd7's. What is not here may be a file.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> models{{
    {"sc", "sc.cat"},
    {"x86-tso", "x86tso.cat"},
    {"aarch64", "aarch64.cat"},
    {"riscv", "riscv.cat"},
    {"rc11", "rc11.cat"},
    {"c11", "c11_partialSC.cat"},
}};

/// herd7's program; empty: there is none.
std::string program() {
    const char* named = std::getenv("RINGPROOF_HERD7");
    return named && *named ? named : ringproof::command::program_in_path("herd7");
}

/// The folder with the kernel's model; empty: none is named.
std::string linux_model() {
    const char* named = std::getenv("RINGPROOF_LINUX_MODEL");
    return named ? named : "";
}

constexpr const char* no_linux_model =
    "herd7 comes without the model of the Linux kernel, and RINGPROOF_LINUX_MODEL does not name the folder "
    "tools/memory-model of the kernel's source";

json about() {
    const std::string herd = program();
    if (herd.empty()) return {{"absent", "RINGPROOF_HERD7 names no program, and no herd7 is in PATH"}};
    const child_answer answer = ringproof::command::run_child({herd, "-version"}, version_seconds);
    const std::string version = answer.output.substr(0, answer.output.find_first_of(",\n"));
    if (!answer.ended) return {{"unusable", herd + ": " + answer.why}};
    if (answer.exit_code != 0 || version.empty() || version[0] < '0' || version[0] > '9')
        return {{"unusable", herd + ": it does not tell its version, so it is no herd7"}};
    const std::string kernel = linux_model();
    if (!kernel.empty() && !std::filesystem::exists(kernel + "/linux-kernel.cat"))
        return {
            {"unusable", "RINGPROOF_LINUX_MODEL is " + kernel +
                             ", where no linux-kernel.cat is: it has to be the folder tools/memory-model of "
                             "the kernel's source"}};
    json schedulers = json::array();
    for (const auto& [ours, theirs] : models) schedulers.push_back(ours);
    json said{{"tool", "herd7"}, {"version", version}, {"schedulers", schedulers}};
    if (kernel.empty())
        said["cannot_see"] = no_linux_model;
    else
        said["schedulers"].push_back("lkmm");
    return said;
}

bool begins(const std::string& line, std::string_view with) { return line.starts_with(with); }

/// What herd7 has printed of one test.
json read(const std::string& log) {
    json said{{"states", json::array()}, {"race", false}};
    std::istringstream lines(log);
    std::size_t states = 0;
    for (std::string line; std::getline(lines, line);) {
        if (states != 0) {
            said["states"].push_back(line);
            --states;
        } else if (begins(line, "States ")) {
            states = std::strtoul(line.c_str() + 7, nullptr, 10);
        } else if (begins(line, "Flag ")) { // others tell what a model takes for granted
            if (line == "Flag *undef*" || line.find("race") != std::string::npos) said["race"] = true;
        } else if (begins(line, "Observation ")) {
            std::istringstream words(line); // Observation NAME Never 0 3
            std::string word;
            words >> word >> word >> word;
            said["observation"] = word;
            said["words"] = line;
        }
    }
    return said;
}

std::string first_line_of(const std::string& text) {
    const std::size_t begin = text.find_first_not_of("\n ");
    return begin == std::string::npos ? "it printed nothing"
                                      : text.substr(begin, text.find('\n', begin) - begin);
}

/// herd7's command line for `file` under `model`.
std::vector<std::string> command_line(const std::string& file, const std::string& model) {
    if (model == "lkmm") {
        const std::string kernel = linux_model() + "/";
        return {program(),
                "-I",
                kernel,
                "-macros",
                kernel + "linux-kernel.def",
                "-bell",
                kernel + "linux-kernel.bell",
                "-model",
                kernel + "linux-kernel.cat",
                file};
    }
    const auto* const known =
        std::find_if(models.begin(), models.end(), [&](const auto& one) { return one.first == model; });
    return {program(), "-model", known == models.end() ? model : std::string(known->second), file};
}

json simulate(const std::string& file, const std::string& model, double seconds) {
    if (model == "lkmm" && linux_model().empty()) return {{"not_expressible", no_linux_model}};
    const auto begin = std::chrono::steady_clock::now();
    const child_answer answer = ringproof::command::run_child(command_line(file, model), seconds,
                                                              ringproof::command::heard::output_and_errors);
    json said = read(answer.output);
    said["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (answer.ended && answer.exit_code == 0 && said.contains("observation")) return said;
    return {{"words", "herd7: " + (answer.ended ? first_line_of(answer.output) : answer.why)}};
}

int usage(const std::string& what) {
    std::fprintf(stderr, "herd7: %s\n", what.c_str());
    return to_int(exit_code::usage);
}

int print(const json& said) {
    std::puts(said.dump(-1, ' ', false, json::error_handler_t::replace).c_str());
    return to_int(exit_code::holds);
}

} // namespace

int main(int argc, char** argv) {
    if (argc == 2 && std::string_view(argv[1]) == "--about") return print(about());
    std::string file, model;
    double seconds = 10;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string_view word = argv[i];
        if (word == "--scenario")
            file = argv[i + 1];
        else if (word == "--scheduler")
            model = argv[i + 1];
        else if (word == "--time")
            seconds = std::strtod(argv[i + 1], nullptr);
        else
            return usage("'" + std::string(word) + "' is no option");
    }
    if (file.empty() || model.empty()) return usage("--scenario FILE --scheduler MODEL are missing");
    return print(simulate(file, model, seconds));
}
