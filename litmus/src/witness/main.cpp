// SPDX-License-Identifier: Apache-2.0
// ringproof litmus witness: asks the simulator and the checker of compiled code the same question.

#include "../cycle/choose.hpp"
#include "../cycle/emit.hpp"
#include "compare.hpp"

#include <ringproof/command/exit_code.hpp>
#include <ringproof/command/mistyped.hpp>
#include <ringproof/command/option_table.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <map>

namespace ringproof::litmus::witness {
namespace {

using command::exit_code;
namespace fs = std::filesystem;

struct arguments {
    std::vector<std::string> paths;
    std::size_t generated = 0;
    std::uint64_t seed = 1;
    double seconds = 10;
    bool verbose = false;
};

struct tally {
    std::size_t agree = 0, races = 0, differ = 0, states = 0;
    std::uint64_t executions = 0;
    double simulator_seconds = 0, checker_seconds = 0;
    std::map<std::string, std::size_t> skipped;
};

class run {
  public:
    explicit run(const arguments& a) : arguments_(a) {}

    void test(const source& from) {
        loaded_test t;
        try {
            t = load_test(from, 2);
        } catch (const std::runtime_error& error) {
            ++tallies_["unreadable"].skipped[error.what()];
            return;
        }
        for (const char* model : {t.what.architecture == "X86" ? "x86-tso" : "rc11", "sc"})
            note(t, model, compare(t, model, arguments_.seconds));
    }

    int finish() {
        bool any = false, differ = false;
        for (const auto& [model, t] : tallies_) {
            fmt::print("{:<8} {} tests agree ({} of them in a data race; {} final states, {} executions), {} "
                       "differ; simulator "
                       "{:.2f} s, checker {:.2f} s\n",
                       model, t.agree, t.races, t.states, t.executions, t.differ, t.simulator_seconds,
                       t.checker_seconds);
            for (const auto& [reason, count] : t.skipped)
                fmt::print("         {} skipped: {}\n", count, reason);
            any = any || t.agree + t.differ > 0;
            differ = differ || t.differ > 0;
        }
        return to_int(differ ? exit_code::refuted : any ? exit_code::holds : exit_code::no_match);
    }

  private:
    void note(const loaded_test& t, const std::string& model, const comparison& c) {
        tally& sum = tallies_[model];
        sum.simulator_seconds += c.simulator_seconds;
        sum.checker_seconds += c.checker_seconds;
        switch (c.what) {
        case comparison::verdict::agree:
            ++sum.agree;
            sum.races += c.race;
            sum.states += c.states;
            sum.executions += c.executions;
            if (arguments_.verbose)
                fmt::print("{} {}: agree, {}\n", t.text.name, model,
                           c.race ? "a data race"
                                  : fmt::format("{} states, {} executions", c.states, c.executions));
            return;
        case comparison::verdict::skipped:
            ++sum.skipped[c.reason];
            if (arguments_.verbose) fmt::print("{} {}: skipped, {}\n", t.text.name, model, c.reason);
            return;
        case comparison::verdict::differ:
            ++sum.differ;
            fmt::print("{} {}: DIFFER in {}\n{}\n", t.text.name, model, c.reason, t.text.from.text);
            return;
        }
    }

    const arguments& arguments_;
    std::map<std::string, tally> tallies_;
};

/// `plain`: may accesses be not atomic? Many such tests end in a data race, and have no final states.
void generate(run& all, const char* dialect, bool plain, std::size_t count, std::uint64_t seed) {
    const cycles::dialect& d = *cycles::find_dialect(dialect);
    cycles::selection s;
    s.edges = d.alphabet;
    s.size = 6;
    for (std::size_t m = 0; m < d.marks.size(); ++m)
        if (plain || d.marks[m].word != "Na") s.marks.push_back(static_cast<int>(m));
    std::size_t made = 0;
    if (count == 0) return;
    cycles::random_cycles(d, s, seed, [&](const cycles::cycle& c) {
        const cycles::emitted_test t = cycles::emit(d, c, true);
        all.test({t.name + ".litmus", t.text});
        return ++made < count;
    });
}

int main_of(int argc, char** argv) {
    arguments a;
    CLI::App app(
        "Compares the simulator with the checker of compiled code: C11 tests under rc11 and sc, X86 tests "
        "under x86-tso "
        "and sc. Each test is simulated, and made into real threads with real atomics of which the checker "
        "explores every execution; the sets of final states must be equal.",
        "ringproof litmus witness");
    app.footer("Example: ringproof litmus witness --generate 200 my-tests\n"
               "exit codes: 0 they agree · 1 they differ · 2 bad input · 5 nothing could be compared");
    app.add_option("FILE-or-DIR", a.paths, "tests, or folders to search for *.litmus");
    app.add_option("--generate", a.generated, "compare also N generated C tests, and N/5 of X86");
    app.add_option("--seed", a.seed, "random seed of the generated tests")->capture_default_str();
    app.add_option("--time", a.seconds, "let each engine take at most S seconds for a test")
        ->type_name("S")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_flag("--verbose", a.verbose, "print a line per test");
    command::add_common_options(app);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return ringproof::command::end_of_arguments(app, error);
    }
    run all(a);
    for (const std::string& path : a.paths) {
        std::vector<std::string> files{path};
        if (fs::is_directory(path)) {
            files.clear();
            for (const fs::directory_entry& e : fs::recursive_directory_iterator(path))
                if (e.path().extension() == ".litmus") files.push_back(e.path().string());
            std::sort(files.begin(), files.end());
        }
        for (const std::string& file : files) all.test(read_source(file));
    }
    generate(all, "C", false, a.generated - a.generated / 4, a.seed);
    generate(all, "C", true, a.generated / 4, a.seed);
    generate(all, "X86", true, a.generated / 5, a.seed); // few kinds of edges: fewer tests
    return all.finish();
}

} // namespace
} // namespace ringproof::litmus::witness

int main(int argc, char** argv) {
    try {
        return ringproof::litmus::witness::main_of(argc, argv);
    } catch (const std::exception& error) {
        fmt::print(stderr, "ringproof litmus witness: {}\n", error.what());
        return to_int(ringproof::command::exit_code::usage);
    }
}
