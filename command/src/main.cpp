// SPDX-License-Identifier: Apache-2.0
// The `ringproof` command. Each verb is a program of its own, ringproof-VERB, beside this one (or
// in libexec/ringproof when installed), so that a verb links only what it needs.

#include <ringproof/command/document.hpp>
#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/mistyped.hpp>
#include <ringproof/command/verb.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace {

using ringproof::command::exit_code;

struct verb {
    std::string_view name;
    std::string_view does;
};

constexpr std::array verbs{
    verb{"verify", "model-check the core's own scenarios"},
    verb{"classics", "model-check well-known algorithms, and a broken twin of each"},
    verb{"zoo", "show bugs that ring buffers have had, each refuted"},
    verb{"museum", "show published bugs of other libraries in their own sources, and their fixes"},
    verb{"check", "model-check an unmodified C or C++ program"},
    verb{"armv8", "model-check a program's AArch64 code as Armv8 machines run it"},
    verb{"split", "divide what is left of a search into parts, for other machines"},
    verb{"merge", "put the results of such parts together"},
    verb{"mpi", "search with all ranks of an MPI job: mpirun -n N ringproof VERB --mpi …"},
    verb{"litmus", "run litmus tests under a memory model, or on this machine"},
    verb{"bench", "benchmark the ring and other queues on this machine"},
    verb{"record", "record a program through the kernel's ring buffers into perf.data"},
    verb{"doctor", "report what makes benchmarks on this machine untrustworthy, and what to do"},
    verb{"report", "make a page, JUnit, SARIF and Markdown from results"},
};
constexpr std::array<std::string_view, 3> options{"--help", "--version", "-h"};

constexpr std::string_view does = "lock-free code, proved and measured";
constexpr std::string_view exit_codes =
    "exit codes: 0 holds · 1 refuted or regression · 2 usage or bad input · 3 internal error · "
    "4 inconclusive · 5 nothing matched · 77 skipped · 130 interrupted";

void print_help(std::FILE* out) {
    fmt::print(out, "ringproof {}: {}\n\nusage: ringproof VERB [OPTIONS]\n\n", ringproof::command::version(),
               does);
    for (const verb& v : verbs) fmt::print(out, "  {:8} {}\n", v.name, v.does);
    // No line that a terminal of 100 columns would break.
    const auto half = exit_codes.find("· 4 ");
    fmt::print(out,
               "\n  --help, --version\n\n`ringproof VERB --help` lists the options of a verb.\n{}\n{:12}{}\n",
               exit_codes.substr(0, half - 1), "", exit_codes.substr(half));
}

namespace fs = std::filesystem;

/// The program of a verb: beside this one in a build, in the folder for such programs when installed. Links are followed,
/// so that a link to the command will do.
fs::path program_of(std::string_view verb) {
    std::error_code error;
    const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
    const std::string program = fmt::format("ringproof-{}", verb);
    for (const fs::path& folder : {here, here / RINGPROOF_VERBS, here / "../libexec/ringproof"})
        if (const fs::path path = folder / program; fs::exists(path, error)) return path;
    return {};
}

/// For what is generated from the tables of options: those of the verbs that are here.
void print_table() {
    ringproof::command::json table = {{"name", "ringproof"},
                                      {"version", ringproof::command::version()},
                                      {"does", does},
                                      {"footer", exit_codes},
                                      {"verbs", ringproof::command::json::array()}};
    for (const verb& v : verbs)
        if (!program_of(v.name).empty()) table["verbs"].push_back({{"name", v.name}, {"does", v.does}});
    fmt::print("{}\n", table.dump(1));
}

int refuse(std::string_view name) {
    std::array<std::string_view, verbs.size()> names;
    std::transform(verbs.begin(), verbs.end(), names.begin(), [](const verb& v) { return v.name; });
    const bool option = name.starts_with('-');
    const std::string meant =
        option ? ringproof::command::suggestion(name, options) : ringproof::command::suggestion(name, names);
    fmt::print(stderr, "ringproof: no {} '{}'{}\nringproof --help lists the verbs\n",
               option ? "option" : "verb", name, meant);
    return to_int(exit_code::usage);
}

int run(std::string_view verb, char** arguments) {
    const fs::path path = program_of(verb);
    if (path.empty()) {
        fmt::print(stderr,
                   "ringproof: the verb '{0}' is not installed: no ringproof-{0} beside this command; "
                   "build the target of that name{1}, or install ringproof whole\n",
                   verb, verb == "mpi" ? ", which needs MPI (in Debian: libopenmpi-dev)" : "");
        return to_int(exit_code::usage);
    }
    execv(path.c_str(), arguments);
    fmt::print(stderr, "ringproof: {}: {}\n", path.string(), std::strerror(errno));
    return to_int(exit_code::internal);
}

/// `ringproof VERB --mpi …` is `ringproof mpi ringproof-VERB …`. What comes behind -- is not ours. The verb becomes its
/// program's argv[0].
int run_alone_or_by_ranks(int argc, char** argv) {
    const auto is = [](std::string_view word) { return [word](const char* other) { return word == other; }; };
    char** const end = argv + argc;
    char** const ours = std::find_if(argv + 2, end, is("--"));
    std::string program = program_of(argv[1]).string(), verb = "mpi";
    if (program.empty() || std::none_of(argv + 2, ours, is("--mpi"))) return run(argv[1], argv + 1);
    std::vector<char*> words{verb.data(), program.data()};
    std::remove_copy_if(argv + 2, ours, std::back_inserter(words), is("--mpi"));
    words.insert(words.end(), ours, end);
    words.push_back(nullptr);
    return run(verb, words.data());
}

bool known(std::string_view name) {
    return std::any_of(verbs.begin(), verbs.end(), [&](const verb& v) { return v.name == name; });
}

int dispatch(int argc, char** argv) {
    if (argc < 2) return print_help(stderr), to_int(exit_code::usage);
    const std::string_view name = argv[1];
    if (name == "--version") return fmt::print("{}\n", ringproof::command::version_line()), 0;
    if (name == "--help-json") return print_table(), 0;
    const bool help = name == "--help" || name == "-h" || name == "help";
    if (help && argc > 2 && known(argv[2])) {
        char option[] = "--help";
        std::array<char*, 3> words{argv[2], option, nullptr};
        return run(argv[2], words.data());
    }
    if (help && argc > 2 && argv[2][0] != '-') return refuse(argv[2]);
    if (help) return print_help(stdout), 0;
    if (!known(name)) return refuse(name);
    return run_alone_or_by_ranks(argc, argv);
}

} // namespace

int main(int argc, char** argv) {
    return ringproof::command::run_verb("ringproof", [&] { return dispatch(argc, argv); });
}
