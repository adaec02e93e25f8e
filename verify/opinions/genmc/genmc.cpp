// SPDX-License-Identifier: Apache-2.0
// The ring's scenarios on GenMC (github.com/MPI-SWS/genmc). It reads C, so it gets C programs that do what the scenarios do:
// those of this folder. GenMC is looked for when it is asked, in RINGPROOF_GENMC_ROOT or in PATH.

#include "genmc.hpp"
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

struct found_checker {
    std::string program, version;
    checker self;
};

const found_checker& genmc() {
    static const found_checker all = [] {
        const genmc_tool found = find_genmc();
        return found_checker{
            found.program, found.version, {"genmc", {"full"}, "", found.absent, found.unusable}};
    }();
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
    const genmc_answer answer = read_genmc(said);
    search_result found;
    found.bug = !answer.error.empty();
    found.finished = answer.finished;
    found.runs = answer.complete + answer.blocked;
    if (found.bug) {
        ++found.runs; // the one that fails is neither
        found.words = answer.error;
        found.place = place_of_error(said, program.file);
        found.history = said;
    } else if (found.finished) {
        found.executions = answer.complete;
        found.words = "GenMC " + genmc().version + " on " + program.file + ": " +
                      std::to_string(answer.complete) + " complete, " + std::to_string(answer.blocked) +
                      " blocked executions";
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
    else if (const std::string error = read_genmc(answer.output).compiler_error; !error.empty())
        found.words = "GenMC: " + error;
    else
        found.words = "what GenMC printed is no answer (exit code " + std::to_string(answer.exit_code) + ")";
    return found;
}

} // namespace ringproof::opinions
