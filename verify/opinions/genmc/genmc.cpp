// SPDX-License-Identifier: Apache-2.0
// The ring's scenarios on GenMC (github.com/MPI-SWS/genmc). It reads C, so it gets C programs that do what the scenarios do:
// those of this folder. GenMC is looked for when it is asked, in RINGPROOF_GENMC_ROOT or in PATH.

#include "../shim/checker.hpp"
#include "programs.hpp"

#include <ringproof/command/child.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace ringproof::opinions {
namespace {

namespace fs = std::filesystem;

constexpr double version_seconds = 5;

/// A folder for the sources. Gone with the search.
class sources {
  public:
    sources() {
        std::string name = (fs::temp_directory_path() / "ringproof-genmc-XXXXXX").string();
        if (!mkdtemp(name.data()))
            throw fs::filesystem_error("mkdtemp", name, std::error_code(errno, std::generic_category()));
        folder_ = name;
        for (const embedded_file& file : embedded_files()) std::ofstream(folder_ / file.name) << file.content;
    }
    ~sources() {
        std::error_code error;
        fs::remove_all(folder_, error);
    }
    sources(const sources&) = delete;
    sources& operator=(const sources&) = delete;
    std::string path(const std::string& name) const { return (folder_ / name).string(); }

  private:
    fs::path folder_;
};

/// GenMC's program; empty: `self` says what is missing.
std::string locate(checker& self) {
    if (const char* root = std::getenv("RINGPROOF_GENMC_ROOT"); root && *root) {
        for (const char* folder : {".", "bin", "build"})
            if (const std::string program = (fs::path(root) / folder / "genmc").lexically_normal().string();
                command::is_program(program))
                return program;
        self.unusable = std::string("RINGPROOF_GENMC_ROOT is ") + root +
                        ", where no program genmc is: build it there (autoreconf -i, ./configure, make)";
        return "";
    }
    std::string program = command::program_in_path("genmc");
    if (program.empty())
        self.absent = "RINGPROOF_GENMC_ROOT names no folder, and no program genmc is in PATH";
    return program;
}

/// What stands between `begin` and the end of its line.
std::string behind(const std::string& said, std::string_view begin) {
    const std::size_t at = said.find(begin);
    if (at == std::string::npos) return "";
    const std::size_t from = at + begin.size();
    return said.substr(from, said.find('\n', from) - from);
}

std::uint64_t number_behind(const std::string& said, std::string_view begin) {
    return std::strtoull(behind(said, begin).c_str(), nullptr, 10);
}

struct found_checker {
    std::string program, version;
    checker self;
};

found_checker find() {
    found_checker all{"", "", {"genmc", {"full"}, "", "", ""}};
    all.program = locate(all.self);
    if (all.program.empty()) return all;
    const command::child_answer answer =
        command::run_child({all.program, "--version"}, version_seconds, command::heard::output_and_errors);
    all.version = behind(answer.output, "GenMC v");
    all.version.resize(std::min(all.version.find(' '), all.version.size()));
    if (answer.ended && answer.exit_code == 0 && !all.version.empty()) return all;
    all.self.unusable =
        all.program + ": " + (answer.ended ? "it does not tell its version, so it is no GenMC" : answer.why);
    return all;
}

const found_checker& genmc() {
    static const found_checker all = find();
    return all;
}

/// Where the event is that GenMC's error is about: "queue.c:12"; it calls the file of the program L.
std::string place_of_error(const std::string& said, const std::string& file) {
    const std::string event = behind(said, "\nEvent (");
    if (event.empty()) return "";
    const std::string line = behind(said, "\t(" + event.substr(0, event.find(')')) + "): ");
    const std::string place = line.substr(line.find_last_of(" \t") + 1);
    if (place.starts_with("L.")) return file + ":" + place.substr(2);
    return place.find(".h:") == std::string::npos ? "" : place;
}

/// What GenMC has printed, in our words.
search_result read(const std::string& said, const c_program& program) {
    search_result found;
    const std::string error = behind(said, "Error: ");
    const std::string assertion = behind(said, "Assertion violation: ");
    const std::uint64_t complete = number_behind(said, "Number of complete executions explored: "),
                        blocked = number_behind(said, "Number of blocked executions seen: ");
    found.bug = !error.empty();
    found.finished = said.find("No errors were detected.") != std::string::npos;
    found.runs = complete + blocked;
    if (found.bug) {
        ++found.runs; // the one that fails is neither
        found.words =
            assertion.empty() ? error.substr(0, error.find('!')) : "assertion violation: " + assertion;
        found.place = place_of_error(said, program.file);
        found.history = said;
    } else if (found.finished) {
        found.executions = complete;
        found.words = "GenMC " + genmc().version + " on " + program.file + ": " + std::to_string(complete) +
                      " complete, " + std::to_string(blocked) + " blocked executions";
        if (program.counts_attempts)
            found.words += ", failed attempts counted; so are ours with --no-reduction retried-iteration";
    }
    return found;
}

} // namespace

const std::vector<c_program>& c_programs() {
    static const std::vector<c_program> all = [] {
        std::vector<c_program> lines;
        for (const embedded_file& file : embedded_files()) {
            if (file.name != "programs.tsv") continue;
            std::istringstream text{std::string(file.content)};
            std::string line;
            std::getline(text, line); // what the columns are
            while (std::getline(text, line)) {
                std::istringstream columns(line);
                c_program one;
                std::string flags, executions, attempts;
                std::getline(columns, one.scenario, '\t');
                std::getline(columns, one.file, '\t');
                std::getline(columns, flags, '\t');
                std::getline(columns, executions, '\t');
                std::getline(columns, attempts, '\t');
                one.counts_attempts = attempts == "counted";
                std::istringstream words(flags);
                for (std::string word; words >> word;) one.flags.push_back(word);
                lines.push_back(std::move(one));
            }
        }
        return lines;
    }();
    return all;
}

std::vector<named_scenario> scenarios() {
    std::vector<named_scenario> all;
    for (const c_program& one : c_programs()) all.push_back({one.scenario, nullptr, one.file.c_str(), 0});
    return all;
}

const checker& this_checker() { return genmc().self; }

search_result search(const named_scenario& scenario, const search_options& options) {
    search_result found;
    if (found.words = genmc().self.absent + genmc().self.unusable; !found.words.empty()) return found;
    const auto program = std::find_if(c_programs().begin(), c_programs().end(),
                                      [&](const c_program& one) { return one.scenario == scenario.name; });
    const sources files;
    // rc11 throughout: by itself it takes a stronger model where it holds that this makes no difference.
    std::vector<std::string> words{genmc().program, "--rc11", "--disable-estimation",
                                   "--disable-mm-detector"};
    if (program->counts_attempts) words.emplace_back("--disable-spin-assume");
    words.emplace_back("--");
    words.insert(words.end(), program->flags.begin(), program->flags.end());
    words.push_back(files.path(program->file));
    const double seconds = options.seconds > 0 ? options.seconds : 3600;
    const auto begin = std::chrono::steady_clock::now();
    const command::child_answer answer =
        command::run_child(words, seconds, command::heard::output_and_errors);
    if (answer.ended) found = read(answer.output, *program);
    found.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (found.bug || (found.finished && found.runs != 0)) return found;
    found.runs = 0; // no verdict
    found.finished = false;
    if (!answer.ended)
        found.words = "GenMC: " + answer.why;
    else if (const std::string error = behind(answer.output, "rror: "); !error.empty()) // of its compiler
        found.words = "GenMC: " + error;
    else
        found.words = "what GenMC printed is no answer (exit code " + std::to_string(answer.exit_code) + ")";
    return found;
}

} // namespace ringproof::opinions
