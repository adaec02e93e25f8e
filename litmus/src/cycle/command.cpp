// SPDX-License-Identifier: Apache-2.0
// ringproof litmus generate: writes litmus tests from cycles.
#include "command.hpp"
#include "choose.hpp"
#include "emit.hpp"

#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/mistyped.hpp>
#include <ringproof/command/option_table.hpp>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

namespace ringproof::litmus::cycles {
namespace {

using command::exit_code;
namespace fs = std::filesystem;

struct arguments {
    std::string architecture = "AArch64";
    std::vector<std::string> cycles;
    std::vector<std::string> edges;
    std::vector<std::string> marks;
    selection chosen;
    std::uint64_t seed = 0;
    bool by_chance = false;
    std::size_t count = 0;
    std::string folder;
    bool show_all = false;
    bool list_edges = false;
};

constexpr const char* examples =
    "Examples:\n"
    "  ringproof litmus generate --arch AArch64 --cycle 'PodWWPL RfeLA PodRRAP Fre'   # MP+popl+poap\n"
    "  ringproof litmus generate --arch X86 --size 4 -o sb        # all of up to four edges\n"
    "  ringproof litmus generate --arch C --seed 1 --count 100 -o tests && ringproof litmus -m rc11 tests\n"
    "  ringproof litmus generate --arch RISCV --edges 'Rfe Fre Pod** Fence.rw.rw*' --size 6 --count 50\n"
    "An edge ends in R and W, what it starts from and what it ends at (PodWR), or says where it leads (Rfe: "
    "to another thread, Rfi: it stays). Two marks may follow, of its two accesses: RfeLA.\n"
    "exit codes: 0 written · 2 bad input · 5 no cycle fits";

void list_edges(const dialect& d) {
    for (const edge& e : d.alphabet) fmt::print("{}\n", word_of(d, e));
    for (const mark& m : d.marks)
        fmt::print("mark {} of {}\n", m.word,
                   m.reads && m.writes ? "loads and stores"
                   : m.reads           ? "loads"
                                       : "stores");
}

std::vector<std::string> words_of(const std::vector<std::string>& lists) {
    std::vector<std::string> words;
    for (const std::string& list : lists)
        for (std::size_t at = 0; at < list.size();) {
            const std::size_t begin = list.find_first_not_of(" ,\t\n", at);
            if (begin == std::string::npos) break;
            at = std::min(list.find_first_of(" ,\t\n", begin), list.size());
            words.push_back(list.substr(begin, at - begin));
        }
    return words;
}

void choose_alphabet(const dialect& d, arguments& a) {
    const std::vector<std::string> patterns = words_of(a.edges);
    if (patterns.empty()) a.chosen.edges = d.alphabet;
    for (std::string pattern : patterns) {
        if (pattern == "Wse" || pattern == "Wsi") pattern.replace(0, 2, "Co");
        for (const edge& e : matching_edges(d, pattern)) a.chosen.edges.push_back(e);
    }
    for (const std::string& word : words_of(a.marks)) {
        if (word == "none") continue;
        bool found = false;
        for (std::size_t m = 0; m < d.marks.size(); ++m)
            if (word == "all" || d.marks[m].word == word) {
                a.chosen.marks.push_back(static_cast<int>(m));
                found = true;
            }
        if (!found)
            throw bad_cycle(fmt::format("'{}' is no mark of {} (--list-edges shows them)", word, d.name));
    }
}

class writer {
  public:
    writer(const dialect& d, const arguments& a) : dialect_(d), arguments_(a) {
        if (!a.folder.empty()) fs::create_directories(a.folder);
    }

    bool write(const cycle& c) {
        emitted_test t;
        try {
            t = emit(dialect_, c, arguments_.show_all);
        } catch (const bad_cycle&) {
            if (!arguments_.cycles.empty()) throw;
            return true; // one of many needs too many registers
        }
        if (arguments_.folder.empty()) {
            fmt::print("{}{}", written_ ? "\n" : "", t.text);
        } else {
            const fs::path file = fs::path(arguments_.folder) / (t.name + ".litmus");
            std::ofstream out(file);
            out << t.text;
            if (!out.flush())
                throw std::runtime_error(
                    fmt::format("{}: cannot write: {}", file.string(), std::strerror(errno)));
        }
        ++written_;
        return arguments_.count == 0 || written_ < arguments_.count;
    }

    std::size_t written() const { return written_; }

  private:
    const dialect& dialect_;
    const arguments& arguments_;
    std::size_t written_ = 0;
};

int run(arguments& a) {
    const dialect* d = find_dialect(a.architecture);
    if (!d)
        throw bad_cycle(
            fmt::format("there is no architecture '{}': expected C, X86, AArch64 or RISCV", a.architecture));
    if (a.list_edges) {
        list_edges(*d);
        return to_int(exit_code::holds);
    }
    choose_alphabet(*d, a);
    writer out(*d, a);
    for (const std::string& words : a.cycles) out.write(parse_cycle(*d, words));
    const auto tell = [&](const cycle& c) { return out.write(c); };
    if (a.cycles.empty() && a.by_chance)
        random_cycles(*d, a.chosen, a.seed, tell);
    else if (a.cycles.empty())
        all_cycles(*d, a.chosen, tell);
    if (out.written() == 0) {
        fmt::print(stderr, "ringproof litmus generate: no cycle of up to {} edges can be made of these\n",
                   a.chosen.size);
        return to_int(exit_code::no_match);
    }
    if (!a.folder.empty()) fmt::print("{} tests in {}\n", out.written(), a.folder);
    if (a.count > out.written() && a.cycles.empty())
        fmt::print(
            stderr,
            "ringproof litmus generate: there are no more than {} such cycles (--size allows longer ones)\n",
            out.written());
    return to_int(exit_code::holds);
}

} // namespace

int generate_command(int argc, char** argv) {
    arguments a;
    CLI::App app("Writes litmus tests, each made from a cycle of relations between accesses (as diy does).",
                 "ringproof litmus generate");
    app.footer(examples);
    app.add_option("-a,--arch", a.architecture, "the dialect of the tests: C, X86, AArch64 or RISCV")
        ->capture_default_str();
    app.add_option("-c,--cycle", a.cycles,
                   "make a test of this cycle (edges separated by blanks); repeatable")
        ->type_name("EDGES")
        ->allow_extra_args(false);
    app.add_option(
           "-e,--edges", a.edges,
           "make cycles of these edges only; * stands for any characters; default: all of the dialect")
        ->type_name("EDGES")
        ->allow_extra_args(false);
    app.add_option("-k,--marks", a.marks, "marks that accesses may have: words, or all; default: none")
        ->type_name("MARKS")
        ->allow_extra_args(false);
    app.add_option("-n,--size", a.chosen.size, "make cycles of at most N edges")
        ->check(CLI::Range(2, 12))
        ->capture_default_str();
    app.add_option("--threads", a.chosen.threads, "make tests of at most N threads")
        ->check(CLI::Range(2, 12))
        ->capture_default_str();
    app.add_option("--accesses", a.chosen.accesses, "let each thread have at most N accesses")
        ->check(CLI::Range(1, 12))
        ->capture_default_str();
    CLI::Option* seed = app.add_option(
        "--seed", a.seed, "draw cycles at random: the same ones for the same seed; default: all in order");
    app.add_option("--count", a.count, "stop after N tests; default: all, with --seed 10")
        ->check(CLI::PositiveNumber);
    app.add_option("-o,--output", a.folder,
                   "write a file per test into this folder; default: standard output")
        ->type_name("DIR");
    app.add_flag("--show-all", a.show_all,
                 "let tests print every load and location, not only those of the condition");
    app.add_flag("--list-edges", a.list_edges, "list the edges and marks of the dialect");
    command::add_common_options(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return ringproof::command::end_of_arguments(app, error);
    }
    a.by_chance = seed->count() != 0;
    if (a.by_chance && a.count == 0) a.count = 10;
    try {
        return run(a);
    } catch (const std::runtime_error& error) { // a cycle that cannot be, a folder that cannot be written
        fmt::print(stderr, "ringproof litmus generate: {}\n", error.what());
        return to_int(exit_code::usage);
    }
}

} // namespace ringproof::litmus::cycles
