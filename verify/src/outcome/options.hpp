// SPDX-License-Identifier: Apache-2.0
#pragma once
// The command line that `ringproof verify`, `ringproof check` and every scenario binary share.

#include <ringproof/command/shard.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringproof::verify {

struct command_options {
    std::vector<std::string> filters;
    std::vector<std::string> models; ///< as in named_models; empty: those that each scenario names
    std::string json, junit, sarif, html, replay;
    std::string markdown, annotations, code_quality; ///< files: the summary, and CI systems' notes at lines
    std::string save_replay;                         ///< file for the token of the first counterexample
    double seconds = 0;                              ///< per scenario and model; 0: no limit
    std::uint64_t executions = 0;
    std::uint64_t max_memory = 0; ///< MiB; 0: three quarters of what is free
    unsigned rounds = 0;          ///< of a loop; 0: no bound
    unsigned max_events = 0;      ///< of one execution; 0: the checker's own bound
    unsigned jobs = 1;
    bool keep_ndebug = false;              ///< check: leave assertions out where the program's flags do
    int exit_code = 0;                     ///< check: that the program is to end with
    std::string expect;                    ///< check: the verdict; empty: verified
    std::string project, compile_commands; ///< check: files
    std::string dialect; ///< check: "relacy", "cdschecker", "gtest", "catch2"; empty: the language's own
    std::vector<std::string> programs; ///< check: names of those of the project to check; empty: all
    double budget = 0;                 ///< check: seconds for all programs of the project; 0: no limit
    std::uint64_t random = 0;          ///< random executions instead of all; 0: all
    std::uint64_t seed = 1;
    unsigned depth = 0;              ///< of bugs, for the scheduler by priorities; 0: even choices
    std::uint64_t shown = 0;         ///< complete executions to print
    bool shortest = false;           ///< of the executions that fail, show the shortest
    std::uint64_t shorter_steps = 0; ///< not an option: bounds that search; 0: by the limits alone
    std::string spurious, reuse;     ///< "always", "never"; empty: as far as the program can tell
    bool races_go_on = false;        ///< --races=continue
    bool races_ignored = false;      ///< --races=ignore
    bool liveness = true;            ///< false: --liveness=ignore
    bool leaks = false;
    bool unfair = false; ///< a thread that does not yield may be the only one that runs
    bool check_determinism = false;
    std::vector<std::string> assumed;     ///< kinds of assumptions that the user takes responsibility for
    std::vector<std::string> not_reduced; ///< names of reductions that are switched off
    std::string checkpoint, resume;       ///< files
    std::optional<command::shard> shard;  ///< of the searches, the programs of a project or the sites
    std::uint64_t divide = 0;             ///< positions in the checkpoint; 0: as many as there are processes
    std::string weaken;                   ///< "sites", "optimize"; empty: not asked for
    std::vector<std::string> second_opinions;    ///< NAME or NAME=PROGRAM of other checkers to ask
    std::vector<std::string> opinion_schedulers; ///< of theirs; empty: the first of each
    double opinion_seconds = 10;                 ///< for each scenario and scheduler
    std::uint64_t opinion_runs = 100'000;        ///< of a random scheduler
    unsigned opinion_context_bound = 2;
    bool estimate = false;
    bool list = false;
    bool check = false; ///< the command line of one program rather than of a set of scenarios
    bool quiet = false;
    bool verbose = false;
    bool colored = false; ///< what --color, NO_COLOR and the terminal come to
};

/// What a command line amounts to: options, or an exit code after help, version or an error is printed.
struct parsed_command {
    command_options options;
    int exit = -1; ///< -1: go on
};

/// What --model takes but for "all", and what --assume takes.
std::vector<std::string> known_models();
std::vector<std::string> known_assumptions();

/// @param check whether this is the command line of one program rather than of a set of scenarios
parsed_command parse_command(std::string name, std::vector<std::string> arguments, bool check);

} // namespace ringproof::verify
